extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 1;
}
int main(void) {
    int a[4];
    if (x + !(int(*)[f()])a == 1) reach_error();
    return 0;
}
