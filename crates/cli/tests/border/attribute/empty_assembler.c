extern void reach_error(void);
int main(void) {
    int x = 5, y = 6;
    __asm__ volatile("" : "+r"(x));
    __asm__ volatile("" : : "r"(y));
    if (x != 5 || y != 6) reach_error();
    return 0;
}
