extern void reach_error(void);
/* gcc -O2 puts both into one register, and the sum is 12. */
int main(void) {
    int x = 3, y = 3;
    __asm__("addl %1,%0; addl %1,%0" : "+r"(x) : "r"(y));
    if (x != 9) reach_error();
    return 0;
}
