/* The distance of two counters stays what it was. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int walk(int a, int b)
{
    if (a <= 0)
        return b - a;
    return walk(a - 1, b - 1);
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000 || b < 0 || b > 1000)
        return 0;
    if (walk(a, b) != b - a)
        reach_error();
    return 0;
}
