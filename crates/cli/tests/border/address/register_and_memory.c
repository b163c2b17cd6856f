extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// A register that is written as one is read in another way.
int main(void) {
    int *p = (int *)0x40001000;
    *p = 1;
    *(volatile int *)0x40001000 = 2;
    if (*p != 1) reach_error();
    return 0;
}
