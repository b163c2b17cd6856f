extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* Nobody extends the sign. */
int main(void) {
    int y = __VERIFIER_nondet_int();
    long z;
    __asm__("" : "=r"(z) : "0"(y));
    if (z != y) reach_error();
    return 0;
}
