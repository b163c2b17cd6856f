enum { MOST = 64 };
static void (*handlers[MOST])(void);
static int count;

int at_quick_exit(void (*handler)(void)) {
    if (count == MOST) __robusto_unsupported("more than 64 handlers of `at_quick_exit`");
    handlers[count++] = handler;
    return 0;
}

void __robusto_run_quick_exit_handlers(int status) {
    while (count > 0) handlers[--count]();
}
