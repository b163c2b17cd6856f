void __CPROVER_assert(_Bool condition, const char *text);
int nondet_int(void);
int main(void) {
    void (*check)(_Bool, const char *) = __CPROVER_assert;
    check(nondet_int() != 7, "not seven");
    return 0;
}
