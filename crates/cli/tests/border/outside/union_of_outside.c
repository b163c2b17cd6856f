// Members of a union share their bytes.
extern void reach_error(void);
union u { int i; float f; unsigned char b[4]; };
extern union u *outside(void);
int main(void) {
    union u *p = outside();
    p->f = 1.0f;
    if (p->i != 0x3f800000 || p->b[3] != 0x3f) reach_error();
}
