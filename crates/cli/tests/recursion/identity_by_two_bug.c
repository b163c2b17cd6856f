/* Two functions that each return what they are given. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int second(int x);

int first(int x)
{
    if (x <= 0)
        return x;
    return second(x - 1) + 1;
}

int second(int x)
{
    if (x <= 0)
        return x;
    return first(x - 1) + 1;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (first(x) == 5)
        reach_error();
    return 0;
}
