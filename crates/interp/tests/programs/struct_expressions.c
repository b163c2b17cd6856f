// Struct values in expressions: ternary, comma, assignment chains, members of results, arrays inside results.
int printf(const char *, ...);

struct p { int x, y; };
struct a { int v[4]; };
struct s { char name[8]; struct p at; };
typedef struct { struct s *(*find)(struct s *, int); struct p (*get)(const struct s *); } ops;

static int calls;
static struct p make(int x, int y) { calls++; return (struct p){x, y}; }
static struct a series(int n) { struct a a; for (int i = 0; i < 4; i++) a.v[i] = n * i; return a; }
static struct s *find(struct s *all, int i) { return all + i; }
static struct p get(const struct s *s) { return s->at; }
static const ops table = {find, get};
static struct p add(struct p a, struct p b) { return make(a.x + b.x, a.y + b.y); }
static struct p nested(int n) { return n ? add(make(n, n), nested(n - 1)) : make(0, 0); }
static void set(struct p *p, struct p v) { *p = v; }
static struct p keep(struct p v) { static struct p old; struct p r = old; old = v; return r; }

int main(void) {
    struct p a = {1, 2}, b = {3, 4}, c;
    int yes = 1, no = 0;
    c = yes ? a : b;
    printf("%d %d\n", c.x, (no ? a : b).y);
    c = (calls++, b);
    printf("%d %d\n", c.x, (a, b).x);
    struct p d = c = a;
    printf("%d %d\n", d.y, (c = b).x);
    printf("%d %d %d\n", series(5).v[3], make(7, 8).y, make(1, 2).x + make(3, 4).y);
    printf("%d %d\n", add(add(a, b), add(c, d)).x, nested(10).y);
    struct s all[3] = {{"one", {1, 1}}, {"two", {2, 4}}, {"three", {3, 9}}};
    printf("%s %d\n", table.find(all, 2)->name, table.get(table.find(all, 1)).y);
    const ops *t = &table;
    t->find(all, 0)->at = t->get(&all[2]);
    t->find(all, 1)->at.x += t->find(all, 0)->at.y++;
    printf("%d %d %d\n", all[0].at.x, all[0].at.y, all[1].at.x);
    set(&all[0].at, make(100, 200));
    struct p *pp = &all[0].at;
    *pp = add(*pp, *pp);
    printf("%d %d\n", all[0].at.x, pp->y);
    struct p arr[3] = {a, make(5, 6), {.y = 9}};
    arr[0] = arr[arr[2].x];
    printf("%d %d %d\n", arr[0].x, arr[1].x, arr[2].y);
    struct a x = series(1), y = x;
    y.v[1] = 50;
    x = yes ? y : x;
    printf("%d %d\n", x.v[1], x.v[2]);
    keep(make(1, 1));
    printf("%d ", keep(make(2, 2)).x);
    printf("%d\n", keep(a).y);
    all[1] = all[2];
    all[2].name[0] = 'T';
    printf("%s %s\n", all[1].name, all[2].name);
    struct { struct p in[2]; } w = {{{1, 2}, {3, 4}}}, *pw = &w;
    w.in[0] = w.in[1];
    pw->in[1] = (struct p){w.in[0].y, pw->in[0].x};
    printf("%d %d %d\n", w.in[0].x, w.in[1].x, w.in[1].y);
    struct p self = {1, 2};
    self = (struct p){self.y, self.x};
    printf("%d %d %d\n", self.x, self.y, calls);
    return 0;
}
