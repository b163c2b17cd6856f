// One that is set before it is used does not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) {
    int *p;
    if (__VERIFIER_nondet_int()) p = &a; else p = &b;
    *p = 1;
    if (a + b != 1) reach_error();
}
