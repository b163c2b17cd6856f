extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memset(void *to, int byte, unsigned long size);
struct pair { int a, b; };
int main(void) {
    struct pair *p = malloc(sizeof *p);
    free(p);
    (void)p->b;
    return 0;
}
