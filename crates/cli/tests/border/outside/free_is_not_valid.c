// The same of a pointer to free.
extern void reach_error(void);
extern void free(void *);
extern int *outside(void);
int main(void) {
    free(outside());
}
