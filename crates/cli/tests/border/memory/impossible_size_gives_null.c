extern void reach_error(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memset(void *to, int byte, unsigned long size);
int main(void) {
    void *p = malloc((unsigned long)-1);
    if (!p)
        reach_error();
    return 0;
}
