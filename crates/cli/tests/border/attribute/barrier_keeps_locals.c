extern void reach_error(void);
int main(void) {
    int x = 5;
    __asm__ volatile("" : : : "memory");
    if (x != 5) reach_error();
    return 0;
}
