// Nothing lies at the end of the addresses.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    *p = 1;
    if ((unsigned long)p >= (unsigned long)-4095) reach_error();
}
