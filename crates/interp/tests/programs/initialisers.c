// Local initialisers: partial, nested, from other variables, strings in structs, zero fill of the rest.
int printf(const char *, ...);
struct in { short a; char name[6]; };
struct out { int n; struct in i[2]; double d; char *p; };
static void dirty(void) { volatile char junk[256]; for (int i = 0; i < 256; i++) junk[i] = 0x55; }
static int zeroes(void) {
    struct out o = {1};
    int a[10] = {0}, b[4] = {1, 2};
    char s[8] = "ab", t[8] = {'x'};
    return o.i[1].name[5] + (o.p != 0) + a[9] + b[3] + s[7] + s[3] + t[7] + (o.d != 0);
}
int main(void) {
    dirty();
    printf("%d\n", zeroes());
    int x = 3;
    struct in base = {x, "base"};
    struct out o = {x * 2, {base, {.name = "other"}}, x / 2.0, base.name};
    printf("%d %d %s %d %s %g %s\n", o.n, o.i[0].a, o.i[0].name, o.i[1].a, o.i[1].name, o.d, o.p);
    o.i[0].name[0] = 'c';
    printf("%s %s\n", base.name, o.i[0].name);
    struct out copy = o;
    copy.i[1] = copy.i[0];
    printf("%s %s\n", copy.i[1].name, o.i[1].name);
    int y = ({ int z = x; z + 1; }), w = y + x;
    printf("%d %d\n", y, w);
    struct { int a, b; } pairs[] = {{1, 2}, {x, y}, {.b = w}};
    printf("%d %d %d\n", (int)(sizeof pairs / sizeof *pairs), pairs[1].b, pairs[2].a);
    char chars[] = {'h', 'i', 0}, *words[] = {chars, "there"};
    printf("%s %s\n", words[0], words[1]);
    union { int i; char c[4]; } u = {.c = {1, 2}};
    printf("%d\n", u.i);
    for (int i = 0; i < 2; i++) { int v[3] = {i}; v[1] += 5; v[2] += v[1]; printf("%d %d %d\n", v[0], v[1], v[2]); }
    float f[3] = {1, 2.5f};
    printf("%g %g %g\n", f[0], f[1], f[2]);
    const int k = 5, *pk = &k;
    printf("%d\n", *pk);
    return 0;
}
