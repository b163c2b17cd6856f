extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define BUG() __asm__ volatile("1:\tud2\n.pushsection __bug_table,\"a\"\n2:\t.long 1b - 2b, %c0 - 2b\n\t.word %c1, 0\n\t.org 2b+%c2\n.popsection" \
    : : "i"("file.c"), "i"(7), "i"(12UL))

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0) BUG();
    if (x < 0) reach_error();
    return 0;
}
