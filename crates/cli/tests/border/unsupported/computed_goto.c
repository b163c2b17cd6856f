extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    static void *const to[] = {&&good, &&bad};
    int i = __VERIFIER_nondet_int();
    goto *to[i & 1];
bad:
    reach_error();
good:
    return 0;
}
