int nondet_one(void) { return 1; }
void __CPROVER_assert(int condition, const char *text) { (void)condition, (void)text; }
int __ESBMC_twice(int x) { return 2 * x; }
int main(void) {
    __CPROVER_assert(0, "ours");
    if (__ESBMC_twice(nondet_one()) != 2)
        __VERIFIER_assert(0);
    return 0;
}
