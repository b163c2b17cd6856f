extern void reach_error(void);
int main(void) {
    char a[8] = "abc", b[8] = "";
    __builtin___strcpy_chk(b, a, __builtin_object_size(b, 1));
    __builtin___memset_chk(a, 'x', 2, sizeof a);
    __builtin___strcat_chk(b, "d", sizeof b);
    if (b[2] != 'c' || b[3] != 'd' || a[1] != 'x' || a[2] != 'c') reach_error();
    return 0;
}
