// A jump back inside of a block leaves its objects alone.
int main(void) {
    int rounds = 0, *p = 0;
    {
    again:
        rounds++;
        if (p)
            *p = rounds;
        int x;
        x = 0;
        p = &x;
        if (rounds < 2)
            goto again;
    }
    return 0;
}
