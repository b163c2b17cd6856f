/* A lock that must not be taken twice, nor given back when it is not held. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int held;

static void take(void) {
    if (held)
        reach_error();
    held = 1;
}

static void give(void) {
    if (!held)
        reach_error();
    held = 0;
}

int main(void) {
    int again;

    do {
        take();
        again = 0;
        if (__VERIFIER_nondet_int()) {
            give();
            again = 1;
        }
    } while (again);

    give();
    return 0;
}
