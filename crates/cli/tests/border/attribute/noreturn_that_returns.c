extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n;
static void quit(int x) { n = x; if (x == 3) reach_error(); }
int main(void) {
    quit(__VERIFIER_nondet_int());
    return n;
}
