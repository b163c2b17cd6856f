// Structs as arguments and results, by value: small, odd, large, nested, with arrays, in registers or memory.
int printf(const char *, ...);

struct tiny { char c; };
struct pair { int a, b; };
struct odd { char x[3]; };
struct mixed { char c; double d; short s; };
struct big { int v[20]; };
struct nest { struct pair p; struct odd o; struct tiny t[2]; };

static struct tiny next(struct tiny t) { t.c++; return t; }
static struct pair swap(struct pair p) { struct pair q = {p.b, p.a}; p.a = 99; return q; }
static struct odd rotate(struct odd o) { char t = o.x[0]; o.x[0] = o.x[1]; o.x[1] = o.x[2]; o.x[2] = t; return o; }
static struct mixed twice(struct mixed m) { m.c *= 2; m.d *= 2; m.s *= 2; return m; }
static struct big fill(int from) { struct big b; for (int i = 0; i < 20; i++) b.v[i] = from + i; return b; }
static int sum(struct big b) { int s = 0; for (int i = 0; i < 20; i++) s += b.v[i]; b.v[0] = -1; return s; }
static struct nest deep(struct nest n, int k) {
    if (k == 0) return n;
    n.p.a += k;
    n.t[1].c++;
    struct nest m = deep(n, k - 1);
    m.o.x[2] += n.p.a;
    return m;
}
static struct pair choose(int which, struct pair a, struct pair b) { return which ? a : b; }

struct pair global = {1, 2};
struct pair by_global(void) { return global; }

int main(void) {
    struct tiny t = {'a'};
    printf("%c %c\n", next(t).c, next(next(t)).c);
    struct pair p = {3, 4}, q;
    q = swap(p);
    printf("%d %d %d %d\n", p.a, p.b, q.a, q.b);
    p = swap(p);
    printf("%d %d\n", p.a, p.b);
    struct odd o = {{'x', 'y', 'z'}};
    o = rotate(rotate(o));
    printf("%c%c%c\n", o.x[0], o.x[1], o.x[2]);
    struct mixed m = twice(twice((struct mixed){3, 1.25, -7}));
    printf("%d %g %d\n", m.c, m.d, m.s);
    struct big b = fill(5);
    printf("%d %d %d\n", sum(b), b.v[0], sum(fill(100)));
    struct nest n = {{1, 2}, {{1, 2, 3}}, {{10}, {20}}};
    struct nest r = deep(n, 4);
    printf("%d %d %d %d %d %d %d\n", r.p.a, r.p.b, r.o.x[0], r.o.x[2], r.t[0].c, r.t[1].c, n.t[1].c);
    q = choose(0, (struct pair){1, 1}, by_global());
    global.a = 50;
    printf("%d %d %d\n", q.a, q.b, choose(1, by_global(), q).a);
    struct pair arr[3] = {{1, 2}, {3, 4}, {5, 6}};
    struct pair *pp = arr;
    *pp++ = swap(arr[2]);
    *pp = swap(*pp);
    printf("%d %d %d %d\n", arr[0].a, arr[0].b, arr[1].a, arr[1].b);
    arr[0] = arr[1] = arr[2];
    printf("%d %d\n", arr[0].a, arr[1].b);
    return swap((struct pair){7, 9}).a;
}
