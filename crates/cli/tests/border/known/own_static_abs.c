extern void reach_error(void);
static int abs(int x) { return 42; }
int main(void) {
    int (*f)(int) = abs;
    if (abs(-1) != 42 || f(-1) != 42) reach_error();
    return 0;
}
