// Two pointers from outside may be equal.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside(), *q = outside();
    *p = 1;
    *q = 2;
    if (*p == 2) reach_error();
}
