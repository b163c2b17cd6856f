/* The greatest common divisor is called with positive numbers only. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int gcd(int a, int b)
{
    if (a <= 0 || b <= 0)
        reach_error();
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 0 && b > 0)
        gcd(a, b);
    return 0;
}
