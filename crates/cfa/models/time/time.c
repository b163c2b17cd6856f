long time(long *to) {
    long now = __robusto_any_long();
    if (to != (long *)0) *to = now;
    return now;
}
long clock(void) { return __robusto_any_long(); }
double difftime(long later, long earlier) { return (double)later - (double)earlier; }
