extern void reach_error(void);
struct pair { char c; long double x; } pairs[2] = {{1, -0.1L}, {2, 3}};
union both { long double x; unsigned char bytes[16]; };
int main(void) {
    union both both;
    if (sizeof(struct pair) != 32 || _Alignof(long double) != 16) reach_error();
    struct pair copy = pairs[0];
    both.x = copy.x;
    if (both.bytes[9] != 0xbf || both.bytes[8] != 0xfb || both.bytes[7] != 0xcc || both.bytes[0] != 0xcd) reach_error();
    pairs[1].x += copy.x;
    if (pairs[1].x != 3 - 0.1L || pairs[1].c != 2) reach_error();
    return 0;
}
