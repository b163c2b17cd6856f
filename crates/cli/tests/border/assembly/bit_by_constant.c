extern void reach_error(void);
int main(void) {
    unsigned long x[2] = {0, 0};
    unsigned r = 1;
    /* A constant counts within the operand, a register beyond it. */
    __asm__("btsl $33,%0" : "+m"(x[0]));
    if (x[0] != 2) reach_error();
    __asm__("btsl %1,%0" : "+m"(x[0]) : "r"(33) : "memory");
    if (x[0] != (2 | 1UL << 33)) reach_error();
    __asm__("btcq %1,%0" : "+m"(x[0]) : "r"(65L) : "memory");
    if (x[1] != 2) reach_error();
    __asm__("btsl %1,%0" : "+r"(r) : "r"(33));
    if (r != 3) reach_error();
    return 0;
}
