extern void reach_error(void);
#pragma pack(1)
struct s { unsigned a : 12; unsigned b : 12; short c; } __attribute__((aligned(4)));
#pragma pack()
int main(void) {
    union { struct s s; unsigned char b[8]; } u = {0};
    u.s.b = 0xabc;
    if (sizeof(struct s) != 8 || u.b[1] != 0xc0 || u.b[2] != 0xab) reach_error();
    return 0;
}
