/* What is returned never exceeds a bound. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int grow(unsigned int n)
{
    unsigned int r;
    if (n == 0)
        return 0;
    r = grow(n - 1) + 1;
    if (r > 7)
        return 7;
    return r;
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (grow(n) == 6)
        reach_error();
    return 0;
}
