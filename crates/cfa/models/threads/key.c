enum { MOST = 64 };
static void *values[MOST];
// One bit for each key that is in use, and the number of the first one.
static unsigned long long used;
static unsigned base;

// An error number, or 0 and any key that is free.
static int make(unsigned *key, int error) {
    if (used == ~0ULL) __robusto_unsupported("more than 64 keys of threads");
    unsigned index = __robusto_any_uint();
    if (index >= MOST || (used >> index & 1)) return error;
    if (used == 0) base = __robusto_any_uint();
    used |= 1ULL << index;
    values[index] = (void *)0;
    *key = base + index;
    return 0;
}

static int drop(unsigned key) {
    unsigned index = key - base;
    if (index >= MOST) return 22;
    used &= ~(1ULL << index);
    return 0;
}

static int any_error(void) {
    int error = __robusto_any_int();
    return error > 0 ? error : 11;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) { return make(key, any_error()); }
int pthread_key_delete(unsigned key) { return drop(key); }
void *pthread_getspecific(unsigned key) { return values[key - base]; }
int pthread_setspecific(unsigned key, const void *value) {
    if (__robusto_any_int() < 0) return any_error();
    values[key - base] = (void *)value;
    return 0;
}
// 2 is thrd_error.
int tss_create(unsigned *key, void (*destructor)(void *)) { return make(key, 2); }
void tss_delete(unsigned key) { drop(key); }
void *tss_get(unsigned key) { return values[key - base]; }
int tss_set(unsigned key, void *value) {
    if (__robusto_any_int() < 0) return 2;
    values[key - base] = value;
    return 0;
}
