extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void) {
    struct { int a; char b[3]; } s = {1, "x"};
    int after = 4;
    __VERIFIER_nondet_memory(&s, sizeof s);
    if (after != 4) return 0;
    if (s.a == 1000 && s.b[2] == 'k') reach_error();
    return 0;
}
