extern void reach_error(void);
int main(void) {
    char a[2] = "b", c[2] = "a";
    int order = __builtin_memcmp(a, c, 1);
    if (order == 2) reach_error();
    return 0;
}
