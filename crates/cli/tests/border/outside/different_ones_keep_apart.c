// Values overlap as a whole or not at all: listed.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside(), *q = outside();
    *p = 1;
    *q = 2;
    if (p != q && *p != 1) reach_error();
}
