long time(long *to) {
    long now = __robusto_any_long();
    if (to != (long *)0) *to = now;
    return now;
}
long clock(void) { return __robusto_any_long(); }
// The exact difference, rounded once.
double difftime(long later, long earlier) {
    unsigned long difference = (unsigned long)later - (unsigned long)earlier;
    return later >= earlier ? (double)difference : -(double)-difference;
}
