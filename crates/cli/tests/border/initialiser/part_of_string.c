extern void reach_error(void);
struct S { char s[4]; };
int main(void) {
    struct S c = {.s = "abc", .s[1] = 0};
    if (c.s[0] != 'a' || c.s[1] != 0 || c.s[2] != 'c') reach_error();
    return 0;
}
