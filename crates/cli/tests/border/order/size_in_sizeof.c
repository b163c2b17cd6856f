extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 1;
}
int main(void) {
    if (x + (int)sizeof(char[f()]) == 2) reach_error();
    return 0;
}
