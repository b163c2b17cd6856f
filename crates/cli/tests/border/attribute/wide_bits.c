extern void reach_error(void);
struct s { unsigned long long a : 40; long long b : 35; unsigned c : 5; };
int main(void) {
    struct s x = {0};
    x.a--;
    x.b = -1;
    x.c = 31;
    if (x.a != 0xffffffffffULL || x.b != -1) reach_error();
    if ((x.a << 8) >> 8 != 0xffffffffULL) reach_error();
    if (x.c + 1 != 32 || x.c - 32 > 0) reach_error();
    return 0;
}
