/* A loop at every depth does as many steps as the depth says. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int steps(unsigned int n)
{
    unsigned int i, sum = 0;
    for (i = 0; i < n; i++)
        sum++;
    if (n > 0)
        steps(n - 1);
    return sum;
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (steps(n) != n)
        reach_error();
    return 0;
}
