struct set {
    unsigned long words[1024 / (8 * sizeof(long))];
};

enum { BITS = 8 * sizeof(long) };

int sigemptyset(struct set *set) {
    __builtin_memset(set, 0, sizeof *set);
    return 0;
}
int sigfillset(struct set *set) {
    // The C library keeps the signals 32 and 33 for itself.
    __builtin_memset(set, 255, sizeof *set);
    for (int number = 32; number <= 33; number++)
        set->words[(number - 1) / BITS] &= ~(1UL << (number - 1) % BITS);
    return 0;
}

// The library may refuse those that it keeps.
static int is_refused(int number) {
    return number < 1 || number > 64 || ((number == 32 || number == 33) && __robusto_any_int() < 0);
}
int sigaddset(struct set *set, int number) {
    if (is_refused(number)) return -1;
    set->words[(number - 1) / BITS] |= 1UL << (number - 1) % BITS;
    return 0;
}
int sigdelset(struct set *set, int number) {
    if (is_refused(number)) return -1;
    set->words[(number - 1) / BITS] &= ~(1UL << (number - 1) % BITS);
    return 0;
}
int sigismember(const struct set *set, int number) {
    if (number < 1 || number > 64) return -1;
    return (set->words[(number - 1) / BITS] >> (number - 1) % BITS & 1) != 0;
}
