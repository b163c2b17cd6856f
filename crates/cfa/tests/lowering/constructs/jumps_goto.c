// A jump into a block passes its declarations, one within it does not; a computed one compares addresses of labels.
int main(void) {
    int n = 0;
    void *target = &&done;
    goto inside;
    {
        int held = 1;
    inside:
        held += n++;
        if (n < 3) goto inside;
        n = held;
    }
    goto *target;
done:
    return n;
}
