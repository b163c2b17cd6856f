extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// A weak object that no file of the program defines may be defined elsewhere.
extern int weak __attribute__((weak));
int main(void) {
    if (&weak && weak == 5) reach_error();
    return 0;
}
