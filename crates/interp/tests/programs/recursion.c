// Recursion: factorial, Ackermann, mutual, hanoi, deep, with address-taken locals and static counters.
int printf(const char *, ...);

static unsigned long long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int moves;
static void hanoi(int n, int a, int b, int c) { if (n) { hanoi(n - 1, a, c, b); moves++; hanoi(n - 1, c, b, a); } }
static int depth(int n) { static int calls; calls++; int local = n; int *p = &local; if (n > 0) depth(n - 1); return *p + calls; }
static int chain(int n, int *up) { int here = *up + 1; return n ? chain(n - 1, &here) : here; }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static void perm(char *s, int k, int *count) {
    if (!s[k]) { (*count)++; if (*count % 8 == 0) printf("%s ", s); return; }
    for (int i = k; s[i]; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        perm(s, k + 1, count);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
}

int main(void) {
    printf("%llu %d\n", fact(20), ack(2, 3));
    printf("%d %d\n", even(1000), odd(777));
    hanoi(10, 0, 1, 2);
    printf("%d\n", moves);
    printf("%d\n", depth(100));
    int zero = 0;
    printf("%d\n", chain(20000, &zero));
    printf("%d\n", gcd(1071, 462));
    char s[] = "abcd";
    int count = 0;
    perm(s, 0, &count);
    printf("%d %s\n", count, s);
    return 0;
}
