extern void reach_error(void);
int main(void) {
    volatile double x = 2147483647.9, y = -2147483648.9, z = -0.9, w = 255.9;
    volatile float v = -2147483648.0f;
    int i = (int)x, j = (int)y, k = (int)v;
    unsigned u = (unsigned)z;
    unsigned char c = (unsigned char)w;
    if (!(i == 2147483647 && j == -2147483647 - 1 && k == j && u == 0 && c == 255)) reach_error();
    return 0;
}
