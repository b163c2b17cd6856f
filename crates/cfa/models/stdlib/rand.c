// A sequence that is started again gives the same numbers again, which is not remembered. The first one starts as if by 1.
static int drawn, started, again;

static void start(unsigned long seed) {
    if (started || (drawn && seed == 1)) again = 1;
    started = 1;
}

void srand(unsigned seed) { start(seed); }
void srandom(unsigned seed) { start(seed); }
void srand48(long seed) { start((unsigned long)seed); }

static void draw(void) {
    drawn = 1;
    if (again) __robusto_unsupported("a number of a random sequence that was started again");
}

// From 0 to 2^31 - 1.
int rand(void) {
    draw();
    return (int)(__robusto_any_uint() & 0x7fffffff);
}
long random(void) {
    draw();
    return (long)(__robusto_any_uint() & 0x7fffffff);
}
long lrand48(void) {
    draw();
    return (long)(__robusto_any_uint() & 0x7fffffff);
}
long mrand48(void) {
    draw();
    return (long)__robusto_any_int();
}
int rand_r(unsigned *seed) {
    *seed = __robusto_unmodelled_uint();
    return (int)(__robusto_unmodelled_uint() & 0x7fffffff);
}
long nrand48(unsigned short *state) {
    __robusto_unmodelled_bytes(state, 6);
    return (long)(__robusto_unmodelled_uint() & 0x7fffffff);
}
long jrand48(unsigned short *state) {
    __robusto_unmodelled_bytes(state, 6);
    return (long)__robusto_unmodelled_int();
}
