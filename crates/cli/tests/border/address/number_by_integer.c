extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// An object's address or a number, as an integer.
static int x;
int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    unsigned long address = i ? (unsigned long)&x : 0x40000000;
    *(int *)address = 1;
    if (!i) reach_error();
    return 0;
}
