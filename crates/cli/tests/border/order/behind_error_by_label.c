extern void reach_error(void);
static int x = 1;
static int f(int k) {
    if (k) goto set;
    reach_error();
    {
    set:
        x = 2;
    }
    return 0;
}
int main(void) {
    if (x + f(1) == 1) reach_error();
    return 0;
}
