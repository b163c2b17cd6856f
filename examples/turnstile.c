/* A turnstile: a coin unlocks it, a push turns it. Somebody forgot that a second coin must be given back. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum event { COIN = 1, PUSH = 2 };
enum state { LOCKED, UNLOCKED };

static enum state state = LOCKED;
static int coins;

static void handle(int event) {
    if (event == COIN) {
        coins = coins == 0 ? 1 : 2;
        state = UNLOCKED;
    } else if (event == PUSH && state == UNLOCKED) {
        coins = 0;
        state = LOCKED;
    }
}

int main(void) {
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (event != COIN && event != PUSH)
            return 0;
        handle(event);
        if (coins == 2)
            reach_error();
        if (coins == 0 && state == UNLOCKED) {
        ERROR:
            return 1;
        }
    }
}
