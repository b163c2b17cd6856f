/* An accumulator takes what the counter loses. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int add(int n, int sum)
{
    if (n == 0)
        return sum;
    return add(n - 1, sum + 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000 || m < 0 || m > 1000000)
        return 0;
    if (add(n, m) <= m)
        reach_error();
    return 0;
}
