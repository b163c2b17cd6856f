// On x86.
int getpagesize(void) { return 4096; }
