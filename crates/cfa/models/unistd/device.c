unsigned gnu_dev_major(unsigned long long device) {
    return (unsigned)((device >> 8 & 0xfff) | (device >> 32 & ~0xfffULL));
}
unsigned gnu_dev_minor(unsigned long long device) {
    return (unsigned)((device & 0xff) | (device >> 12 & ~0xffULL));
}
unsigned long long gnu_dev_makedev(unsigned major, unsigned minor) {
    return (major & 0xfffULL) << 8 | (major & ~0xfffULL) << 32 | (minor & 0xffULL) | (minor & ~0xffULL) << 12;
}
