/* A driver takes and gives back a lock. If the flag `busy` is set, it gives the lock back early and takes it again;
 * the discipline (never take twice, never give back what is not held) holds on every path. */

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
    unsigned packets = 0, before;

    do {
        take();
        before = packets;
        int busy = __VERIFIER_nondet_int();
        if (busy) {
            give();
            packets++;
        }
    } while (packets != before);

    give();
    return 0;
}
