// From 0 to 2^31 - 1.
int rand(void) { return (int)(__robusto_any_uint() & 0x7fffffff); }
long random(void) { return (long)(__robusto_any_uint() & 0x7fffffff); }
int rand_r(unsigned *seed) {
    *seed = __robusto_any_uint();
    return (int)(__robusto_any_uint() & 0x7fffffff);
}
long lrand48(void) { return (long)(__robusto_any_uint() & 0x7fffffff); }
long nrand48(unsigned short *state) {
    __robusto_any_bytes(state, 6);
    return (long)(__robusto_any_uint() & 0x7fffffff);
}
long mrand48(void) { return (long)__robusto_any_int(); }
long jrand48(unsigned short *state) {
    __robusto_any_bytes(state, 6);
    return (long)__robusto_any_int();
}
