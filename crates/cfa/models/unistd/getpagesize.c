// On x86.
int getpagesize(void) { return 4096; }

// 30 is _SC_PAGESIZE.
long sysconf(int name) {
    long value = __robusto_any_long();
    if (name == 30) return 4096;
    return value < 0 ? -1 : value;
}
