typedef void (*handler)(int);

struct action {
    handler handler;
    unsigned long mask[1024 / (8 * sizeof(long))];
    int flags;
    void (*restorer)(void);
};

// Whether a signal may be ignored or blocked by now.
static int changed;

// 0 is SIG_DFL, 1 is SIG_IGN, -1 is SIG_ERR.
static void install(handler new) {
    if (new == (handler)1) changed = 1;
}
static handler any_before(void) { return __robusto_any_int() ? (handler)1 : (handler)0; }

// SIGKILL and SIGSTOP cannot be changed; the C library keeps 32 and 33 for itself, or does not.
static int is_fixed(int number) {
    if (number == 32 || number == 33) return __robusto_any_int() < 0;
    return number < 1 || number > 64 || number == 9 || number == 19;
}

handler signal(int number, handler new) {
    if (is_fixed(number)) return (handler)-1;
    if (new != (handler)0 && new != (handler)1)
        __robusto_unsupported("call of `signal` with a handler, which may run at any time");
    install(new);
    return any_before();
}

int sigaction(int number, const struct action *new, struct action *old) {
    if (new != (const struct action *)0) {
        if (is_fixed(number)) return -1;
        if (new->handler != (handler)0 && new->handler != (handler)1)
            __robusto_unsupported("call of `sigaction` with a handler, which may run at any time");
        install(new->handler);
    }
    if (old != (struct action *)0) {
        __robusto_any_bytes(old, sizeof *old);
        old->handler = any_before();
    }
    return __robusto_any_int() < 0 ? -1 : 0;
}

static int mask(const void *new, void *old) {
    if (new != (const void *)0) changed = 1;
    if (old != (void *)0) __robusto_any_bytes(old, 128);
    return __robusto_any_int() < 0 ? -1 : 0;
}
int sigprocmask(int how, const void *new, void *old) { return mask(new, old); }
int pthread_sigmask(int how, const void *new, void *old) {
    if (mask(new, old) == 0) return 0;
    int error = __robusto_any_int();
    return error > 0 ? error : 22;
}

static int change(void) {
    changed = 1;
    return __robusto_any_int();
}
int sighold(int number) { return change(); }
int sigignore(int number) { return change(); }
int sigblock(int set) { return change(); }
int sigsetmask(int set) { return change(); }
int siginterrupt(int number, int flag) { return __robusto_any_int(); }

// Whether a signal ends the program unless something was changed (signal(7) of Linux).
static int ends(int number) {
    return (number >= 1 && number <= 16) || (number >= 24 && number <= 27) || (number >= 29 && number <= 31);
}
int raise(int number) {
    if (number < 0 || number > 64) return -1;
    if (number == 0) return 0;
    if (ends(number) && !changed) {
        __robusto_assumption("no signal is ignored or blocked when the program starts");
        abort();
    }
    if (number == 9 || __robusto_any_int() == 0) abort();
    return __robusto_any_int() < 0 ? -1 : 0;
}

static int own;
int getpid(void) {
    if (own == 0) {
        own = __robusto_any_int();
        __robusto_assume(own > 0);
    }
    return own;
}
// The program goes on in another process.
int daemon(int keep_directory, int keep_streams) {
    if (__robusto_any_int() < 0) return -1;
    own = 0;
    return 0;
}
int kill(int process, int number) {
    if (number < 0 || number > 64) return -1;
    if (process == getpid()) return raise(number);
    if (number != 0 && process <= 0 && __robusto_any_int() == 0) abort();
    return __robusto_any_int() < 0 ? -1 : 0;
}
