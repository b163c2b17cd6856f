extern void reach_error(void);
int main(void) {
    unsigned __int128 a = ~(unsigned __int128)0;
    __int128 b = -1;
    if (a / 3 * 3 != a || (unsigned __int128)b != a || b >> 127 != -1 || (double)b != -1.0) reach_error();
    return 0;
}
