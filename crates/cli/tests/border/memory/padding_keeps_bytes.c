extern void reach_error(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memset(void *to, int byte, unsigned long size);
struct pair { int a; char b; };
int main(void) {
    char out[8];
    struct pair q, r;
    memset(&q, 7, 8);
    memcpy(&r, &q, 8);
    memcpy(out, &r, 8);
    if (out[6] != 7)
        reach_error();
    return 0;
}
