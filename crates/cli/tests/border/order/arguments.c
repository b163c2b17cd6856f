extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
static void take(int a, int b) { if (a < b) reach_error(); }
int main(void) {
    take(next(), next());
    return 0;
}
