extern void reach_error(void);
int main(void) {
    __int128 big = (__int128)1 << 100, r;
    int i = 0;
    if (!__builtin_mul_overflow(big, big, &r)) reach_error();
    if (__builtin_add_overflow(big, big, &r) || r >> 101 != 1) reach_error();
    if (!__builtin_add_overflow(big, 5, &i) || i != 5) reach_error();
    return 0;
}
