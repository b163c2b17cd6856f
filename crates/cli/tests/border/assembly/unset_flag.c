extern void reach_error(void);
int main(void) {
    unsigned x = 1;
    __asm__ volatile("adcl $0,%0" : "+r"(x));
    if (x == 2) reach_error();
    return 0;
}
