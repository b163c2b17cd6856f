extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// Registers that no memory of ours has the address of; the program goes on behind them.
static volatile unsigned *const timer = (volatile unsigned *)0xE000E010;
int main(void) {
    int *p = (int *)0x40001000;
    *p = 1;
    *timer = 5;
    timer[1] = 6;
    if (*p == 1) reach_error();
    return 0;
}
