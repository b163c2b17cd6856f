extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void) {
    int a[2] = {next(), next()};
    if (a[0] == 2) reach_error();
    return 0;
}
