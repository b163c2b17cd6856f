// And the other way round.
extern void reach_error(void);
extern unsigned char *outside(void);
int main(void) {
    unsigned char *c = outside();
    c[0] = 1; c[1] = 2; c[2] = 0; c[3] = 0;
    if (*(unsigned *)c == 0x201) reach_error();
}
