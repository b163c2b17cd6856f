/* Nested recursion: the argument of a call is the result of another. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int f(int x)
{
    if (x > 50)
        return x - 5;
    return f(f(x + 6));
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = f(x);
    if (x <= 50 && y != 45)
        reach_error();
    return 0;
}
