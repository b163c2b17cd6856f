/* Recursion inside of a loop inside of the recursion. Not quite. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int balance;

void visit(int n)
{
    balance++;
    while (n > 0 && __VERIFIER_nondet_int()) {
        n--;
        visit(n);
    }
    if (n == 1)
        balance--;
    balance--;
}

int main(void)
{
    visit(__VERIFIER_nondet_int());
    if (balance != 0)
        reach_error();
    return 0;
}
