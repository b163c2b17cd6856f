extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    void (*suppose)(int) = __VERIFIER_assume;
    int x = __VERIFIER_nondet_int();
    suppose(x > 3);
    if (x <= 3) reach_error();
    return 0;
}
