// The word of a set of descriptors that has this one; beyond the set, the program ends.
static long word(long descriptor) {
    if (descriptor < 0 || descriptor >= 1024) abort();
    return descriptor / (long)(8 * sizeof(long));
}

long __fdelt_chk(long descriptor) { return word(descriptor); }
long __fdelt_warn(long descriptor) { return word(descriptor); }
