/* The number of elements from an index up to another. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int length(int at, int end)
{
    if (at >= end)
        return 0;
    return 1 + length(at + 1, end);
}

int main(void)
{
    int from = __VERIFIER_nondet_int();
    int to = __VERIFIER_nondet_int();
    if (from < 0 || to < from)
        return 0;
    if (length(from, to) != to - from)
        reach_error();
    return 0;
}
