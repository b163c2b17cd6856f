extern void reach_error(void);
extern void die(const char *) __attribute__((noreturn));
extern _Noreturn void stop(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int()) die("x");
    else stop();
    reach_error();
}
