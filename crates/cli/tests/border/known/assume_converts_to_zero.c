extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
    __VERIFIER_assume(0x100000000LL);
    reach_error();
    return 0;
}
