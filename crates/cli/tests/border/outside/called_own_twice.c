// The same pointer leads to the same function.
void reach_error(void);
int (*lookup(void))(int);
static int count;
static int callback(int n) { count++; return 1; }
static int (*known)(int) = callback;

int main(void) {
    int (*f)(int) = lookup();
    f(1);
    f(1);
    if (f == known && count != 2) reach_error();
    if (f != known && count != 0) reach_error();
    return 0;
}
