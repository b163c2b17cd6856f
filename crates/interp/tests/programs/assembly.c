// Inline assembly without instructions leaves its operands alone.
int printf(const char *, ...);

int main(void) {
    int x = 3, y = 4, z;
    __asm__ volatile("" : "+r"(x));
    __asm__("" : "=r"(z) : "0"(y + 1));
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+m"(y) : "r"(&x) : "memory");
    __asm__("" : [out] "=r"(y) : "[out]"(y * 2));
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__("nop\n\tnop");
    __asm__ volatile("# a comment" : "+r"(z));
    printf("%d %d %d\n", x, y, z);
    return 0;
}
