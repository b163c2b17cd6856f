extern void reach_error(void);
static int x;
int main(void) {
    int *p = &x;
    __asm__ volatile("movl $7, (%0)" : : "r"(p) : "memory");
    if (x == 7) reach_error();
    return 0;
}
