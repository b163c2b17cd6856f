// Equal pointers lead to the same memory.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside(), *q = outside();
    *p = 1;
    *q = 2;
    if (p == q && *p != 2) reach_error();
}
