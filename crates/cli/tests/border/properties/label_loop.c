extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        x--;
        if (x == 5) goto ERROR;
    }
    return 0;
ERROR:
    return 1;
}
