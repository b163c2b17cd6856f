extern void reach_error(void);
int main(void) {
    int x = 0;
    __asm__ volatile("tzcntl %1, %0" : "=r"(x) : "r"(128));
    if (x == 7) reach_error();
    return 0;
}
