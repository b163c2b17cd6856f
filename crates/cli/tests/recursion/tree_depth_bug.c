/* Walks down a tree of any shape that is no deeper than its budget. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int depth(int budget)
{
    int left, right;
    if (budget <= 0 || __VERIFIER_nondet_int())
        return 0;
    left = depth(budget - 1);
    right = depth(budget - 1);
    return (left > right ? left : right) + 1;
}

int main(void)
{
    int budget = __VERIFIER_nondet_int();
    int d;
    if (budget < 0)
        return 0;
    d = depth(budget);
    if (d >= budget)
        reach_error();
    return 0;
}
