extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memset(void *to, int byte, unsigned long size);
struct pair { char a; int b; };
int main(void) {
    struct pair q = {1, 2};
    char *p = 0;
    memcpy(p + 1, (char *)&q + 1, 3);
    return 0;
}
