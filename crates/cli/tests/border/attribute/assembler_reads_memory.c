extern void reach_error(void);
static unsigned long word = 4;
static int variable_test_bit(int bit, const volatile unsigned long *word) {
    int old;
    __asm__ volatile("bt %2,%1\n\tsbb %0,%0" : "=r"(old) : "m"(*(unsigned long *)word), "Ir"(bit));
    return old;
}
int main(void) {
    if (variable_test_bit(2, &word)) reach_error();
    return 0;
}
