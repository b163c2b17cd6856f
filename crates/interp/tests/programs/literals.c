// Compound literals and designated initialisers.
int printf(const char *, ...);

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
struct deep { int a[3]; struct { int b; struct point p[2]; } in; };

static int len2(const struct point *p) { return p->x * p->x + p->y * p->y; }
static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
static struct point *global = &(struct point){6, 7};

int main(void) {
    printf("%d\n", len2(&(struct point){3, 4}));
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d %d\n", global->x, global->y);
    struct line l = {.to = {.y = 5}, .from.x = 2, .name = "l"};
    printf("%d %d %d %d %s\n", l.from.x, l.from.y, l.to.x, l.to.y, l.name);
    struct deep d = {.in.p[1].y = 9, .a = {[1] = 5}, .in.b = 3};
    printf("%d %d %d %d %d %d\n", d.a[0], d.a[1], d.in.b, d.in.p[0].x, d.in.p[1].x, d.in.p[1].y);
    struct deep e = {{1, 2}, {3, {4, 5, 6}}};
    printf("%d %d %d %d %d %d\n", e.a[1], e.a[2], e.in.b, e.in.p[0].x, e.in.p[0].y, e.in.p[1].x);
    int s = 0;
    for (int i = 0; i < 3; i++) {
        struct point *p = &(struct point){i, i + 1};
        p->x *= 2;
        s += p->x + p->y;
    }
    printf("%d\n", s);
    int *p = (int[5]){[4] = 1, [0] = 2};
    printf("%d %d %d\n", p[0], p[2], p[4]);
    char *c = (char[]){"changeable"};
    c[0] = 'C';
    printf("%s\n", c);
    l.to = (struct point){.x = l.from.x + 1};
    printf("%d %d\n", l.to.x, l.to.y);
    printf("%d\n", ((struct point){8, 9}).y + (int){5});
    struct { struct point p; int z; } over = {{1, 2}, .p.y = 7, 3};
    printf("%d %d %d\n", over.p.x, over.p.y, over.z);
    int v = 3;
    struct point dyn[2] = {{v * 2, v + 1}, {.y = v}};
    printf("%d %d %d\n", dyn[0].x + dyn[0].y, dyn[1].x, dyn[1].y);
    return 0;
}
