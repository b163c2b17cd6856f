// Bytes of a word are its bytes.
extern void reach_error(void);
extern unsigned *outside(void);
int main(void) {
    unsigned *p = outside();
    *p = 0x01020304;
    unsigned char *c = (unsigned char *)p;
    if (c[0] != 4 || c[3] != 1) reach_error();
}
