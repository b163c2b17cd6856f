// 48 bits as a fraction.
static double fraction(unsigned long long bits) { return (double)(bits & 0xffffffffffff) / 0x1p48; }

double drand48(void) { return fraction(__robusto_any_ullong()); }
double erand48(unsigned short *state) {
    __robusto_any_bytes(state, 6);
    return fraction(__robusto_any_ullong());
}
