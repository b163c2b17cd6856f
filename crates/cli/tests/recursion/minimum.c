/* The least of what was seen on the way down is no more than the first. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int least(int n, int best)
{
    int x;
    if (n <= 0)
        return best;
    x = __VERIFIER_nondet_int();
    if (x < best)
        best = x;
    return least(n - 1, best);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int first = __VERIFIER_nondet_int();
    if (least(n, first) > first)
        reach_error();
    return 0;
}
