// A pointer from outside may be an error in disguise.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    if ((unsigned long)p >= (unsigned long)-4095) reach_error();
}
