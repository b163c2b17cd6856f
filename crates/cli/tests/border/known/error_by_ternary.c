extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void nothing(void) {}
int main(void) {
    (__VERIFIER_nondet_int() == 17 ? reach_error : nothing)();
    return 0;
}
