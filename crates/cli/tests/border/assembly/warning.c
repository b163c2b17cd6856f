extern void reach_error(void);
/* The kernel goes on behind the instruction if the entry says so. */
int main(void) {
    __asm__ volatile("1:\tud2\n.pushsection __bug_table,\"aw\"\n2:\t.long 1b - 2b\n\t.long %c0 - 2b\n\t.word %c1\n\t.word %c2\n\t.org 2b+%c3\n.popsection"
        : : "i"("file.c"), "i"(7), "i"(1), "i"(12UL));
    reach_error();
    return 0;
}
