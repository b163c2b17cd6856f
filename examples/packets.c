/* A driver takes a lock, and gives it back early when a packet arrives; it goes on as long as packets arrive. That the
 * lock is never taken twice rests on `packets != before` holding exactly when the lock was given back. */

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
        int arrived = __VERIFIER_nondet_int();
        if (arrived) {
            give();
            packets++;
        }
    } while (packets != before);

    give();
    return 0;
}
