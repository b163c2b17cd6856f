// Memory that has ended is no memory outside.
extern void reach_error(void);
extern void free(void *);
extern void *malloc(unsigned long);
int main(void) {
    int *p = malloc(sizeof(int));
    free(p);
    if (*p == 3) reach_error();
}
