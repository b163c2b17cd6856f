extern void reach_error(void);
static struct { int (*f)(void); } ops;
static int x = 5;
int main(void) {
    unsigned long eax;
    __asm__ volatile("771:\n\tcall *%c2;\n772:\n.pushsection .parainstructions,\"a\"\n .balign 8 \n .quad  771b\n  .byte %c1\n  .byte 772b-771b\n  .short %c3\n.popsection\n"
        : "=a"(eax) : [number] "i"(46UL), [pointer] "i"(&ops.f), [clobber] "i"(1) : "memory", "cc");
    if (eax == 77) reach_error();
    return 0;
}
