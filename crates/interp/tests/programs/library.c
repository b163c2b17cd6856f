// Library functions with callbacks and conversions: qsort, abs, atoi, ctype, exit codes.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int abs(int), atoi(const char *), isdigit(int), toupper(int);
long labs(long);
void exit(int);

static int ascending(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }

int main(void) {
    int a[] = {5, -3, 9, 0, 12, -7, 4};
    qsort(a, 7, sizeof *a, ascending);
    for (int i = 0; i < 7; i++) printf("%d ", a[i]);
    printf("\n");
    printf("%d %ld %d\n", abs(-5), labs(-7L), atoi("-42xyz"));
    printf("%d %d %c\n", !!isdigit('7'), isdigit('a'), toupper('q'));
    exit(7);
}
