enum { MOST = 64 };

// A handler of `atexit` has no argument, one of `__cxa_atexit` only its own.
static struct {
    void (*plain)(void);
    void (*with)(int, void *);
    void (*own)(void *);
    void *argument;
} handlers[MOST];
static int count;

int atexit(void (*handler)(void)) {
    if (count == MOST) __robusto_unsupported("more than 64 handlers of `atexit`");
    handlers[count].plain = handler;
    handlers[count].with = (void (*)(int, void *))0;
    handlers[count].own = (void (*)(void *))0;
    count++;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument) {
    if (count == MOST) __robusto_unsupported("more than 64 handlers of `on_exit`");
    handlers[count].plain = (void (*)(void))0;
    handlers[count].with = handler;
    handlers[count].argument = argument;
    count++;
    return 0;
}

int __cxa_atexit(void (*handler)(void *), void *argument, void *object) {
    if (count == MOST) __robusto_unsupported("more than 64 handlers of `__cxa_atexit`");
    handlers[count].with = (void (*)(int, void *))0;
    handlers[count].own = handler;
    handlers[count].argument = argument;
    count++;
    return 0;
}

// In reverse order; a handler may register further ones.
void __robusto_run_exit_handlers(int status) {
    while (count > 0) {
        count--;
        if (handlers[count].with != (void (*)(int, void *))0)
            handlers[count].with(status, handlers[count].argument);
        else if (handlers[count].own != (void (*)(void *))0)
            handlers[count].own(handlers[count].argument);
        else
            handlers[count].plain();
    }
}
