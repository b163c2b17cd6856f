struct tm {
    int second, minute, hour, day, month, year, week_day, year_day, summer;
    long offset;
    const char *zone;
};

static int below(unsigned limit) {
    unsigned value = __robusto_unmodelled_uint();
    return value < limit ? (int)value : 0;
}

// Any text; the names of two zones may be in use at once.
static char one_zone[64], other_zone[64];

static const char *any_zone(void) {
    char *zone = __robusto_unmodelled_int() < 0 ? one_zone : other_zone;
    __robusto_unmodelled_bytes(zone, sizeof one_zone - 1);
    zone[sizeof one_zone - 1] = 0;
    return zone;
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
    to->zone = any_zone();
}

static struct tm shared;
static char shared_text[26];

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

// 24 characters, a new line, and the end; null for a year that has no room.
static char *put(char *to) {
    if (__robusto_unmodelled_int() < 0) return (char *)0;
    __robusto_unmodelled_bytes(to, 24);
    to[24] = '\n';
    to[25] = 0;
    return to;
}

char *asctime(const void *date) {
    __robusto_reads(date);
    return put(shared_text);
}
char *asctime_r(const void *date, char *to) {
    __robusto_reads(date);
    return put(to);
}
char *ctime(const long *time) { return broken_down(time, &shared) ? put(shared_text) : (char *)0; }
char *ctime_r(const long *time, char *to) {
    __robusto_reads(time);
    return put(to);
}
