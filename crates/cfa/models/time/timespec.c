struct timespec {
    long seconds, nanoseconds;
};

static void any_time(struct timespec *to) {
    to->seconds = __robusto_any_long();
    unsigned fraction = __robusto_any_uint();
    to->nanoseconds = fraction < 1000000000 ? (long)fraction : 0;
}

int clock_gettime(int clock, struct timespec *to) {
    if (__robusto_any_int() < 0) return -1;
    any_time(to);
    return 0;
}
int clock_getres(int clock, struct timespec *to) {
    if (__robusto_any_int() < 0) return -1;
    if (to != (struct timespec *)0) any_time(to);
    return 0;
}
int timespec_get(struct timespec *to, int base) {
    if (base != 1 || __robusto_any_int() < 0) return 0;
    any_time(to);
    return base;
}
int nanosleep(const struct timespec *time, struct timespec *left) {
    if (__robusto_any_int() >= 0) return 0;
    if (left != (struct timespec *)0) any_time(left);
    return -1;
}
int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *left) {
    int error = __robusto_any_int();
    if (error <= 0) return 0;
    if (left != (struct timespec *)0) any_time(left);
    return error;
}
