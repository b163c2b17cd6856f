extern void reach_error(void);
typedef struct __va_list_tag __va_list_tag;
static int sum(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start((__va_list_tag *)&ap, n);
    int s = 0;
    while (n--) s += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return s;
}
int main(void) {
    if (sum(2, 3, 4) != 7) reach_error();
    return 0;
}
