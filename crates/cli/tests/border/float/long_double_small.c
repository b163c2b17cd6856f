extern void reach_error(void);
struct pair { char c; long double x; };
int main(void) {
    struct pair p = {1, 0.1L};
    if (sizeof(long double) != 12 || _Alignof(long double) != 4 || sizeof(struct pair) != 16) reach_error();
    if (p.x == 0.1 || (double)p.x != 0.1) reach_error();
    return 0;
}
