/* Counts the moves of the towers of Hanoi in a global. */

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned char moves;

void hanoi(unsigned int n)
{
    if (n == 0)
        return;
    hanoi(n - 1);
    moves++;
    hanoi(n - 1);
}

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    hanoi(n);
    if (moves > 7)
        reach_error();
    return 0;
}
