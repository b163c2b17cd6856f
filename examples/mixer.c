/* A mixer with a state and two counters. The state has three values; the counters have millions, too many to list, but
   they stay within bounds: `--analysis product` keeps the state in decision diagrams and the counters in intervals. */

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

enum state { IDLE, FILLING, DRAINING };

int main(void)
{
    enum state state = IDLE;
    int filled = 0, drained = 0;

    while (1) {
        int command = __VERIFIER_nondet_int();
        if (state == IDLE) {
            if (command == 1)
                state = FILLING;
        } else if (state == FILLING) {
            if (filled < 1000000)
                filled = filled + 3;
            if (command == 2)
                state = DRAINING;
        } else if (state == DRAINING) {
            if (drained < 2000000)
                drained = drained + 7;
            if (command == 3) {
                state = IDLE;
                filled = 0;
            }
        } else {
            __VERIFIER_error();
        }
        if (filled > 1000002 || drained > 2000006)
            __VERIFIER_error();
    }
}
