/* What ends the program inside of the recursion does not return. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

extern void abort(void);

int check(int n)
{
    if (n == 3)
        abort();
    if (n <= 0)
        return n;
    return check(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 3)
        return 0;
    check(n);
    reach_error();
    return 0;
}
