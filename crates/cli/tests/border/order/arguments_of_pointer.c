extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
static int first(int a, int b) { return a; }
int main(void) {
    int (*f)(int, int) = first;
    if (f(next(), next()) == 2) reach_error();
    return 0;
}
