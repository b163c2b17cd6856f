extern void reach_error(void);
extern int __VERIFIER_nondet_into(int *p);
int main(void) {
    int x = 0;
    __VERIFIER_nondet_into(&x);
    if (x)
        reach_error();
    return 0;
}
