/* A lock that may be taken several times is free in the end. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int depth;

void work(unsigned int n)
{
    depth++;
    if (n > 0)
        work(n - 1);
    if (depth == 0)
        reach_error();
    depth--;
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    work(n);
    if (depth != 0)
        reach_error();
    return 0;
}
