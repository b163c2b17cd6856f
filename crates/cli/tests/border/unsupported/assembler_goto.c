extern void reach_error(void);
int main(void) {
    __asm__ goto("jmp %l0" : : : : bad);
    return 0;
bad:
    reach_error();
    return 1;
}
