extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int asked;
static void __VERIFIER_assume(int c) { asked++; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 2);
    if (x != 2 && asked == 1) reach_error();
    return 0;
}
