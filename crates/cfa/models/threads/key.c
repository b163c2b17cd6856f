enum { MOST = 64 };
static void *values[MOST];
static unsigned count;

static unsigned make(void) {
    if (count == MOST) __robusto_unsupported("more than 64 keys of threads");
    return count++;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    *key = make();
    return 0;
}
int pthread_key_delete(unsigned key) { return 0; }
void *pthread_getspecific(unsigned key) { return values[key]; }
int pthread_setspecific(unsigned key, const void *value) {
    values[key] = (void *)value;
    return 0;
}
int tss_create(unsigned *key, void (*destructor)(void *)) {
    *key = make();
    return 0;
}
void tss_delete(unsigned key) {}
void *tss_get(unsigned key) { return values[key]; }
int tss_set(unsigned key, void *value) {
    values[key] = value;
    return 0;
}
