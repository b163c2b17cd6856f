// The counter is the first word.
enum { MOST = 0x7fffffff };

// Other processes may change semaphores with a name; once there is one, all may have any value at each look.
static int named;
static void *opened;

static unsigned value_of(unsigned *semaphore) {
    if (named) *semaphore = __robusto_any_uint() & MOST;
    return *semaphore;
}

int sem_init(unsigned *semaphore, int shared, unsigned value) {
    if (value > MOST) return -1;
    *semaphore = value;
    return 0;
}
int sem_destroy(unsigned *semaphore) { return 0; }
int sem_post(unsigned *semaphore) {
    if (value_of(semaphore) == MOST) return -1;
    ++*semaphore;
    return 0;
}
int sem_wait(unsigned *semaphore) {
    __robusto_assume(value_of(semaphore) > 0);
    --*semaphore;
    return 0;
}
int sem_trywait(unsigned *semaphore) {
    if (value_of(semaphore) == 0) return -1;
    --*semaphore;
    return 0;
}
int sem_timedwait(unsigned *semaphore, const void *time) { return sem_trywait(semaphore); }
int sem_clockwait(unsigned *semaphore, int clock, const void *time) { return sem_trywait(semaphore); }
int sem_getvalue(unsigned *semaphore, int *value) {
    *value = (int)value_of(semaphore);
    return 0;
}

// A name that is opened already gives the same object.
void *sem_open(const char *name, int flags, ...) {
    __robusto_reads(name);
    int outcome = __robusto_any_int();
    if (outcome < 0) return (void *)0;
    named = 1;
    if (outcome == 0 || opened == (void *)0) opened = __robusto_kept(32);
    return opened;
}
