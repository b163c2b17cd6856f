// An execution ends where it writes through null: the error behind it is never reached.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0, *p = 0;
    if (__VERIFIER_nondet_int()) {
        p = &x;
    }
    *p = 1;
    if (p != &x) {
        reach_error();
    }
    return 0;
}
