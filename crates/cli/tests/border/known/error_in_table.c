extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void nothing(void) {}
static void (*table[4])(void) = {nothing, nothing, [3] = reach_error};
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4 && table[i]) table[i]();
    return 0;
}
