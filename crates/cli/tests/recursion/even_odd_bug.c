/* Two functions call each other and return the parity. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int odd(unsigned int n);

int even(unsigned int n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}

int odd(unsigned int n)
{
    if (n == 0)
        return 0;
    return even(n - 1);
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (even(n) != (int)(n & 1))
        reach_error();
    return 0;
}
