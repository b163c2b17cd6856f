// A computed goto into a block passes its declarations as any other jump does.
void reach_error(void);

int main(void) {
    void *target = &&inside;
    int rounds = 0;
again:
    goto *target;
    {
        int y = 4;
        y++;
    inside:
        if (rounds == 1 && y != 3) reach_error();
        y = 3;
    }
    if (rounds++ == 0) goto again;
    return 0;
}
