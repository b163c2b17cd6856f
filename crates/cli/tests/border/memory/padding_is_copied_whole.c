// As above, with room for all bytes.
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memset(void *to, int byte, unsigned long size);
struct pair { int a; char b; };
int main(void) {
    struct pair *p = malloc(8);
    struct pair q = {0};
    *p = q;
    free(p);
    return 0;
}
