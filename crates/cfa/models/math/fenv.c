// Directions as CBMC counts them: to nearest, down, up, toward zero. `fenv.h` of x86 has them at bits 10 and 11.
int __CPROVER_rounding_mode;
int fesetround(int direction) {
    if (direction & ~0xc00) return 1;
    __CPROVER_rounding_mode = direction >> 10;
    return 0;
}
int fegetround(void) { return __CPROVER_rounding_mode << 10; }
int __builtin_flt_rounds(void) {
    int mode = __CPROVER_rounding_mode;
    return mode == 0 ? 1 : mode == 1 ? 3 : mode == 2 ? 2 : 0;
}
