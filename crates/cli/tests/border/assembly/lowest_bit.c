extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint() & 0xff0;
    if (a) {
        unsigned lowest;
        __asm__("bsfl %1,%0" : "=r"(lowest) : "rm"(a));
        if (lowest > 31 || !(a >> lowest & 1) || a & ((1u << lowest) - 1)) reach_error();
    }
    return 0;
}
