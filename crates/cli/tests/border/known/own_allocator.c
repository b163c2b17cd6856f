extern void reach_error(void);
static char pool[64];
static unsigned long used;
static void *malloc(unsigned long n) { void *p = pool + used; used += n; return p; }
static void free(void *p) { used = 0; }
int main(void) {
    char *a = malloc(8), *b = malloc(8);
    if (b != a + 8 || a != pool) reach_error();
    free(a);
    if (malloc(1) != a) reach_error();
    return 0;
}
