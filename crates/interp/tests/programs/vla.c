// Variable-length arrays: sizes, two dimensions, as parameters, in loops, sizeof with side effects.
int printf(const char *, ...);

static int total(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}

static int fib(int n) {
    int f[n + 2];
    f[0] = 0, f[1] = 1;
    for (int i = 2; i <= n; i++) f[i] = f[i - 1] + f[i - 2];
    return f[n];
}

static int recurse(int n) {
    char buf[n + 1];
    for (int i = 0; i <= n; i++) buf[i] = i;
    int below = n ? recurse(n - 1) : 0;
    int s = 0;
    for (int i = 0; i <= n; i++) s += buf[i];
    return s + below;
}

int main(void) {
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
    n = 100;
    printf("%d %d %d\n", (int)sizeof a, (int)sizeof a[0], total(3, m, a));
    printf("%d %d\n", fib(10), fib(20));
    printf("%d\n", recurse(20));
    int sum = 0;
    for (int k = 1; k < 50; k++) {
        int v[k];
        v[k - 1] = k;
        v[0] += 0 * k;
        sum += v[k - 1] + (int)(sizeof v / sizeof *v);
        if (k == 30) break;
        if (k % 2) continue;
        sum++;
    }
    printf("%d\n", sum);
    int side = 2;
    int size = sizeof(char[side++]);
    printf("%d %d\n", size, side);
    int (*p)[m] = a;
    printf("%d %d\n", p[2][3], (int)((char *)(p + 1) - (char *)p));
    typedef int row[m];
    m = 7;
    row r;
    printf("%d\n", (int)(sizeof r / sizeof(int)));
    int again = 0;
back:;
    int local[again + 1];
    local[again] = again;
    if (again < 3) { again++; goto back; }
    printf("%d %d\n", local[3], (int)sizeof local);
    return 0;
}
