extern void reach_error(void);
int main(void) {
    unsigned long x = 5;
    int c, z;
    __asm__("btq $2,%1" : "=@ccc"(c) : "m"(x));
    if (!c) reach_error();
    __asm__("subl %2,%0" : "+r"(c), "=@ccz"(z) : "r"(1));
    if (!z || c) reach_error();
    return 0;
}
