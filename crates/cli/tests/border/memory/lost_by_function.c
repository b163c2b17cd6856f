extern void *malloc(unsigned long size);
extern void free(void *pointer);
char *kept;
void lose(int n) {
    char *p = malloc(3);
    if (n)
        free(p);
}
void release(int n) {
    char *p = malloc(3);
    if (n)
        p[1] = 1;
    free(p);
}
char *give(void) { return kept = malloc(3); }
int main(void) { return 0; }
