// 0 is SIG_DFL, 1 is SIG_IGN, -1 is SIG_ERR.
void (*signal(int number, void (*handler)(int)))(int) {
    if (handler != (void (*)(int))0 && handler != (void (*)(int))1)
        __robusto_unsupported("call of `signal` with a handler, which may run at any time");
    return __robusto_any_int() ? (void (*)(int))1 : (void (*)(int))0;
}
