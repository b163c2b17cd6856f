enum { BITS = 8 * sizeof(long) };

// The words of a set that are looked at; how many descriptors may be ready in it.
static int any_set(int count, void *set, int none) {
    if (set == (void *)0) return 0;
    __robusto_size size = (__robusto_size)((count + BITS - 1) / BITS) * sizeof(long);
    if (none)
        __builtin_memset(set, 0, size);
    else
        __robusto_any_bytes(set, size);
    return count;
}

static int ready(int count, void *read, void *write, void *except) {
    if (count < 0 || count > 1024) return -1;
    int result = __robusto_any_int(), none = result == 0;
    int most = any_set(count, read, none) + any_set(count, write, none) + any_set(count, except, none);
    return result < 0 || result > most ? -1 : result;
}

// The time that is left.
int select(int count, void *read, void *write, void *except, void *time) {
    __robusto_loose();
    if (time != (void *)0) __robusto_any_bytes(time, 2 * sizeof(long));
    return ready(count, read, write, except);
}
int pselect(int count, void *read, void *write, void *except, const void *time, const void *mask) {
    __robusto_loose();
    return ready(count, read, write, except);
}
