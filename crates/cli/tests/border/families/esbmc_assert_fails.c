_Bool nondet_bool(void);
int main(void) {
    _Bool b = nondet_bool(); __ESBMC_assume(b);
    __ESBMC_assert(!b, "not");
    __ESBMC_assert(b == 1, "it is");
    return 0;
}
