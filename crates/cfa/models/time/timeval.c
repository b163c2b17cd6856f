struct timeval {
    long seconds, microseconds;
};

int gettimeofday(struct timeval *to, void *zone) {
    if (to != (struct timeval *)0) {
        to->seconds = __robusto_any_long();
        unsigned fraction = __robusto_any_uint();
        to->microseconds = fraction < 1000000 ? (long)fraction : 0;
    }
    if (zone != (void *)0) __robusto_any_bytes(zone, 2 * sizeof(int));
    return __robusto_any_int() < 0 ? -1 : 0;
}
