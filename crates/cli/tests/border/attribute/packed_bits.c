extern void reach_error(void);
struct s { unsigned a : 3; unsigned b : 30; unsigned char c; } __attribute__((packed));
int main(void) {
    struct s x = {5, 0x2aaaaaaa, 7};
    if (sizeof x != 6 || x.b != 0x2aaaaaaa || x.a != 5) reach_error();
    x.b = 1;
    if (x.a != 5 || x.c != 7) reach_error();
    return 0;
}
