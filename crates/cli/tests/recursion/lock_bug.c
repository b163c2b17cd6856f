/* A lock is taken and given back at every depth. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int locked;

void acquire(void)
{
    if (locked)
        reach_error();
    locked = 1;
}

void release(void)
{
    if (!locked)
        reach_error();
    locked = 0;
}

void work(int n)
{
    acquire();
    if (n > 0) {
        if (n != 3)
            release();
        work(n - 1);
        acquire();
    }
    release();
}

int main(void)
{
    work(__VERIFIER_nondet_int());
    return 0;
}
