/* Mutual recursion that moves a total between two global counters. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int pings, pongs;

void pong(unsigned int n);

void ping(unsigned int n)
{
    pings++;
    if (n > 0)
        pong(n - 1);
}

void pong(unsigned int n)
{
    pongs++;
    if (n > 0)
        ping(n - 1);
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (n > 1000000)
        return 0;
    ping(n);
    if (pings + pongs != n + 1)
        reach_error();
    return 0;
}
