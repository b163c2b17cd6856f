extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 0;
}
int main(void) {
    int c = 1;
    int (*p)(void) = f;
    if (x + (c ? p() : 0) == 1) reach_error();
    return 0;
}
