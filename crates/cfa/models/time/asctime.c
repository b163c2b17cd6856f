static char shared[26];

// 24 characters, a new line, and the end.
static char *put(char *to) {
    __robusto_unmodelled_bytes(to, 24);
    to[24] = '\n';
    to[25] = 0;
    return to;
}

static char *put_date(const void *date, char *to) {
    __robusto_reads(date);
    return put(to);
}

char *asctime(const void *date) { return put_date(date, shared); }
char *ctime(const long *time) { return put_date(time, shared); }
char *asctime_r(const void *date, char *to) { return put_date(date, to); }
char *ctime_r(const long *time, char *to) { return put_date(time, to); }
