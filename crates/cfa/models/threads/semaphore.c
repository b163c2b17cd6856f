// The counter is the first word.
int sem_init(unsigned *semaphore, int shared, unsigned value) {
    *semaphore = value;
    return 0;
}
int sem_destroy(unsigned *semaphore) { return 0; }
int sem_post(unsigned *semaphore) {
    ++*semaphore;
    return 0;
}
int sem_wait(unsigned *semaphore) {
    __robusto_assume(*semaphore > 0);
    --*semaphore;
    return 0;
}
int sem_trywait(unsigned *semaphore) {
    if (*semaphore == 0) return -1;
    --*semaphore;
    return 0;
}
int sem_timedwait(unsigned *semaphore, const void *time) { return sem_trywait(semaphore); }
int sem_clockwait(unsigned *semaphore, int clock, const void *time) { return sem_trywait(semaphore); }
int sem_getvalue(unsigned *semaphore, int *value) {
    *value = (int)*semaphore;
    return 0;
}
