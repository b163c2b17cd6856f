// What the program allocates is its own.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int *outside(void);
int main(void) {
    int *p = outside(), *q = malloc(sizeof(int));
    *q = 1;
    *p = 2;
    if (*q != 1) reach_error();
}
