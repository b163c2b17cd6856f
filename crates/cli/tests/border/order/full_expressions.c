extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void) {
    int a = next(), b = next();
    int c = next();
    if (a != 1 || b != 2 || c != 3) reach_error();
    for (int i = next(); i == next() - 1; i = next()) {
        if (next() != 6) reach_error();
        break;
    }
    return 0;
}
