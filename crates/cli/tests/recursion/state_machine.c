/* A protocol that goes through its states by tail calls. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int opened, sent;

void closed_state(int n);

void open_state(int n)
{
    if (!opened)
        reach_error();
    if (n <= 0)
        return;
    if (__VERIFIER_nondet_int()) {
        sent++;
        open_state(n - 1);
    } else {
        opened = 0;
        closed_state(n - 1);
    }
}

void closed_state(int n)
{
    if (opened)
        reach_error();
    if (n <= 0)
        return;
    opened = 1;
    open_state(n - 1);
}

int main(void)
{
    closed_state(__VERIFIER_nondet_int());
    return 0;
}
