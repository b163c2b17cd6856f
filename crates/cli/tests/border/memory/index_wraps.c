// With 32 bits, four times the index is 0 again; C forbids it all the same.
extern int __VERIFIER_nondet_int(void);
int a[10];

int main(void) {
    unsigned i = 0x40000000u + (__VERIFIER_nondet_int() == 1);
    a[i] = 1;
    return 0;
}
