// That the pointer is none to `g` is an assumption.
extern void reach_error(void);
extern int *outside(void);
int g;
int main(void) {
    int *p = outside();
    g = 1;
    *p = 2;
    if (g != 1) reach_error();
}
