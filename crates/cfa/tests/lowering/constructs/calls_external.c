// A function without a body returns any value and may change what its arguments reach; an input may be any value of its type.
int elsewhere(int *changed, const int *kept);
int pure(int) __attribute__((pure));
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int a = 1, b = 2;
    int r = elsewhere(&a, &b);
    return r + pure(a) + b + __VERIFIER_nondet_uchar();
}
