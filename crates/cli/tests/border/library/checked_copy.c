extern void reach_error(void);
extern void *__memcpy_chk(void *, const void *, unsigned long, unsigned long);
int main(void) {
    char a[4] = "abc", b[4] = "";
    __memcpy_chk(b, a, 4, 4);
    if (b[2] == 'c') reach_error();
    return 0;
}
