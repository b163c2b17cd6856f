// The definition for inlining calls the function itself by another name.
extern void reach_error(void);
extern int abs_alias(int x) __asm__("abs");
extern inline __attribute__((gnu_inline, always_inline)) int abs(int x) { return abs_alias(x); }
int main(void) {
    if (abs(-1) == 1)
        reach_error();
    return 0;
}
