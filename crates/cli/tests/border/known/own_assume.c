extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int c) { if (!c) abort(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 2);
    if (x != 2) reach_error();
    return 0;
}
