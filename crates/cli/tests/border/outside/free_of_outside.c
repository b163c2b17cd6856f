// A pointer from outside may be one to free.
extern void reach_error(void);
extern void free(void *);
extern int *outside(void);
int main(void) {
    int *p = outside();
    *p = 1;
    free(p);
    reach_error();
}
