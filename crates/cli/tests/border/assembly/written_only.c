extern void reach_error(void);
/* The compiler need not store 3: the operand is only written. */
int main(void) {
    int x = 3;
    __asm__("incl %0" : "=m"(x));
    if (x != 4) reach_error();
    return 0;
}
