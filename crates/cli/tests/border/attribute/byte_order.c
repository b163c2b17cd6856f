extern void reach_error(void);
struct s { unsigned short h; int i; } __attribute__((scalar_storage_order("big-endian")));
int main(void) {
    struct s x = {0x1234, 1};
    unsigned char *b = (unsigned char *)&x;
    if (b[0] != 0x12 || b[1] != 0x34 || b[7] != 1 || x.i != 1) reach_error();
    return 0;
}
