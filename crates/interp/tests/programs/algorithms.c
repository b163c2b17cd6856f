// Small classic programs: sieve, queens, sorting, matrix product, collatz, big addition, CRC, string search, life.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);

static int sieve(int n) {
    static char composite[10000];
    int count = 0;
    for (int i = 2; i < n; i++) {
        if (composite[i]) continue;
        count++;
        for (int j = i * 2; j < n; j += i) composite[j] = 1;
    }
    return count;
}

static int queens(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
    if (row == n) return 1;
    int count = 0;
    for (int c = 0; c < n; c++) {
        unsigned a = 1u << c, b = 1u << (row + c), d = 1u << (row - c + n);
        if (!(cols & a) && !(d1 & b) && !(d2 & d)) count += queens(n, row + 1, cols | a, d1 | b, d2 | d);
    }
    return count;
}

static void quick(int *a, int lo, int hi) {
    if (lo >= hi) return;
    int pivot = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}

static void sort_any(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *)) {
    char *b = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && cmp(b + (j - 1) * size, b + j * size) > 0; j--)
            for (size_t k = 0; k < size; k++) { char t = b[(j - 1) * size + k]; b[(j - 1) * size + k] = b[j * size + k]; b[j * size + k] = t; }
}
struct item { char name[6]; short weight; };
static int by_weight(const void *a, const void *b) { return ((const struct item *)a)->weight - ((const struct item *)b)->weight; }

static unsigned crc(const char *s) {
    unsigned c = ~0u;
    while (*s) { c ^= (unsigned char)*s++; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1; }
    return ~c;
}

static void life(char g[8][8]) {
    char n[8][8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int s = 0;
            for (int d = 0; d < 9; d++) if (d != 4) s += g[(i + d / 3 + 7) % 8][(j + d % 3 + 7) % 8];
            n[i][j] = s == 3 || (s == 2 && g[i][j]);
        }
    for (int i = 0; i < 64; i++) (&g[0][0])[i] = (&n[0][0])[i];
}

int main(void) {
    printf("%d\n", sieve(10000));
    printf("%d\n", queens(6, 0, 0, 0, 0));
    int a[200];
    unsigned x = 1;
    for (int i = 0; i < 200; i++) { x = x * 69069 + 1; a[i] = (int)(x >> 8) % 1000; }
    quick(a, 0, 199);
    int ok = 1;
    for (int i = 1; i < 200; i++) ok &= a[i - 1] <= a[i];
    printf("%d %d %d %d\n", ok, a[0], a[100], a[199]);
    struct item items[] = {{"stone", 50}, {"leaf", 1}, {"book", 9}, {"iron", 80}};
    sort_any(items, 4, sizeof *items, by_weight);
    for (int i = 0; i < 4; i++) printf("%s ", items[i].name);
    printf("\n%x\n", crc("123456789"));
    int steps = 0;
    for (long n = 97; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
    printf("%d\n", steps);
    double m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) { r[i][j] = 0; for (int k = 0; k < 3; k++) r[i][j] += m[i][k] * m[k][j]; }
    printf("%g %g %g\n", r[0][0], r[1][2], r[2][2]);
    char g[8][8] = {[1][2] = 1, [2][3] = 1, [3][1] = 1, [3][2] = 1, [3][3] = 1};
    for (int i = 0; i < 10; i++) life(g);
    for (int i = 0; i < 8; i++) { int row = 0; for (int j = 0; j < 8; j++) row = row * 2 + g[i][j]; printf("%d ", row); }
    printf("\n");
    char digits[40] = {1};
    for (int k = 0; k < 100; k++) { int carry = 0; for (int i = 0; i < 40; i++) { int d = digits[i] * 2 + carry; digits[i] = d % 10; carry = d / 10; } }
    for (int i = 30; i >= 0; i--) printf("%d", digits[i]);
    printf("\n");
    return 0;
}
