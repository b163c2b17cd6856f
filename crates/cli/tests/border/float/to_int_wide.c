extern void reach_error(void);
int main(void) {
    volatile double x = 0x1.fffffffffffffp63, y = -0x1p63;
    volatile float z = 0x1.fffffep127f;
    unsigned long u = (unsigned long)x;
    long l = (long)y;
    unsigned __int128 w = (unsigned __int128)z;
    if (!(u == 0xfffffffffffff800 && l == -0x7fffffffffffffff - 1 && w >> 104 == 0xffffff)) reach_error();
    return 0;
}
