extern void reach_error(void);
static int x;
int main(void) {
    int *p = &x;
    __asm__ volatile("movnti %1, (%0)" : : "r"(p), "r"(7) : "memory");
    if (x == 7) reach_error();
    return 0;
}
