extern void reach_error(void);
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a;
    long i = 1;
    __asm__ volatile("movl $7,4(%0,%1,4); incl (%0)" : : "r"(p), "r"(i) : "memory");
    if (a[0] != 2 || a[1] != 2 || a[2] != 7) reach_error();
    return 0;
}
