struct tm {
    int second, minute, hour, day, month, year, week_day, year_day, summer;
    long offset;
    const char *zone;
};

static int below(unsigned limit) {
    unsigned value = __robusto_unmodelled_uint();
    return value < limit ? (int)value : 0;
}

static void any_date(struct tm *to) {
    to->second = below(61);
    to->minute = below(60);
    to->hour = below(24);
    to->day = below(31) + 1;
    to->month = below(12);
    to->year = __robusto_unmodelled_int();
    to->week_day = below(7);
    to->year_day = below(366);
    to->summer = __robusto_unmodelled_int();
    to->offset = __robusto_unmodelled_long();
    to->zone = "UTC";
}

static struct tm shared;

static struct tm *broken_down(const long *time, struct tm *to) {
    __robusto_reads(time);
    if (__robusto_unmodelled_int() < 0) return (struct tm *)0;
    any_date(to);
    return to;
}

struct tm *localtime(const long *time) { return broken_down(time, &shared); }
struct tm *gmtime(const long *time) { return broken_down(time, &shared); }
struct tm *localtime_r(const long *time, struct tm *to) { return broken_down(time, to); }
struct tm *gmtime_r(const long *time, struct tm *to) { return broken_down(time, to); }

long mktime(struct tm *date) {
    if (__robusto_unmodelled_int() < 0) return -1;
    any_date(date);
    return __robusto_unmodelled_long();
}
long timegm(struct tm *date) {
    if (__robusto_unmodelled_int() < 0) return -1;
    any_date(date);
    return __robusto_unmodelled_long();
}
