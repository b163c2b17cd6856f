extern void reach_error(void);
int main(void) {
    unsigned u;
    if (__builtin_clrsb(-1) != 31 || __builtin_clrsb(1) != 30) reach_error();
    if (!__builtin_add_overflow_p(127, 1, (signed char)0)) reach_error();
    if (__builtin_add_overflow_p(127, 1, 0)) reach_error();
    if (!__builtin_uadd_overflow(-1, 1, &u) || u != 0) reach_error();
    if (__builtin_uadd_overflow(0x1ffffffffLL, 0, &u) || u != 0xffffffffu) reach_error();
    return 0;
}
