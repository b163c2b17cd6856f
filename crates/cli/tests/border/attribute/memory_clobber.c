extern void reach_error(void);
int x = 5;
int main(void) {
    __asm__ volatile("movl $7, x(%%rip)" : : : "memory");
    if (x != 5) reach_error();
    return 0;
}
