/* The remainder by repeated subtraction. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int rem(unsigned int a, unsigned int b)
{
    if (a < b)
        return a;
    return rem(a - b, b);
}

int main(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    if (b == 0)
        return 0;
    if (rem(a, b) >= b)
        reach_error();
    return 0;
}
