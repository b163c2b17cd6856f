/* Counts down to zero and back. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int count(int n)
{
    if (n <= 0)
        return 0;
    return count(n - 1) + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    if (count(n) != n)
        reach_error();
    return 0;
}
