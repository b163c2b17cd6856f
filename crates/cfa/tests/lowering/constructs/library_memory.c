// Memory on the heap is allocated and freed by edges of their own; copies of known sizes are edges, too.
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

int main(void) {
    int *p = malloc(4 * sizeof *p);
    int *q = calloc(4, sizeof *q);
    if (p == 0) return 1;
    memset(p, 0, 8);
    memcpy(q, p, 8);
    int r = q[1];
    free(p);
    free(q);
    return r;
}
