extern void reach_error(void);
static unsigned readl(const volatile void *addr) {
    unsigned ret;
    __asm__ volatile("movl %1,%0" : "=r"(ret) : "m"(*(volatile unsigned *)addr) : "memory");
    return ret;
}
static void writel(unsigned val, volatile void *addr) {
    __asm__ volatile("movl %0,%1" : : "r"(val), "m"(*(volatile unsigned *)addr) : "memory");
}
int main(void) {
    unsigned reg[2] = {0, 0};
    writel(7, reg + 1);
    if (reg[0] || readl(reg + 1) != 7) reach_error();
    return 0;
}
