struct action {
    void (*handler)(int);
    unsigned long mask[1024 / (8 * sizeof(long))];
    int flags;
    void (*restorer)(void);
};

int sigaction(int number, const struct action *new, struct action *old) {
    if (new != (const struct action *)0 && new->handler != (void (*)(int))0 && new->handler != (void (*)(int))1)
        __robusto_unsupported("call of `sigaction` with a handler, which may run at any time");
    if (old != (struct action *)0) {
        __robusto_any_bytes(old, sizeof *old);
        old->handler = __robusto_any_int() ? (void (*)(int))1 : (void (*)(int))0;
    }
    return __robusto_any_int() < 0 ? -1 : 0;
}
