void reach_error(void);
int f();
int main(void) {
    int r = f(2);
    if (r > 9)
        reach_error();
    return 0;
}
int f(int a, int b) { return a + b; }
