// Calls of error functions, failed assertions, and the ends of the program.
void reach_error(void);
void abort(void);
void exit(int);
void __VERIFIER_assume(int);
void __assert_fail(const char *, const char *, unsigned, const char *);

int main(void) {
    int n;
    __VERIFIER_assume(n > 0);
    if (n == 1) reach_error();
    if (n == 2) __assert_fail("n", "f.c", 1, "main");
    if (n == 3) abort();
    exit(n);
}
