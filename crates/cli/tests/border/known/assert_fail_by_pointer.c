extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
    void (*q)(const char *, const char *, unsigned, const char *) = __assert_fail;
    q("x", "f", 1, "main");
    return 0;
}
