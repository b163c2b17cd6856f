extern void reach_error(void);
int main(void) {
    int x = 1;
    __asm__ volatile("movl $2,%0" : : "m"(x));
    if (x == 2) reach_error();
    return 0;
}
