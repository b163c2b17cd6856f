// The mask stays as it is until the program changes it.
static unsigned mask;
static int is_known;

unsigned umask(unsigned new) {
    unsigned old = is_known ? mask : __robusto_any_uint() & 0777;
    is_known = 1;
    mask = new & 0777;
    return old;
}
