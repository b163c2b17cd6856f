// Pointer arithmetic and comparison, pointers to pointers, void pointers, casts to integers, aliasing through char.
int printf(const char *, ...);
typedef typeof(sizeof 0) size_t;

static void set(int **pp, int *to) { *pp = to; }
static void swap(void *a, void *b, size_t n) { char *x = a, *y = b; while (n--) { char t = *x; *x++ = *y; *y++ = t; } }
static int *largest(int *a, int n) { int *m = a; for (int *p = a; p < a + n; p++) if (*p > *m) m = p; return m; }
struct node { int v; struct node *left, *right; };
static int depth(const struct node *n) { if (!n) return 0; int l = depth(n->left), r = depth(n->right); return 1 + (l > r ? l : r); }
static void insert(struct node **at, struct node *n) { while (*at) at = n->v < (*at)->v ? &(*at)->left : &(*at)->right; *at = n; }

int main(void) {
    int a[6] = {4, 8, 15, 16, 23, 42};
    int *p = a, *q = &a[5];
    printf("%d %d %d\n", (int)(q - p), *(q - 2), p[3]);
    printf("%d %d %d %d\n", p < q, p == a, q >= p + 5, &a[6] > q);
    p += 2;
    --q;
    printf("%d %d %d\n", *p, *q, (int)(p - q));
    int **pp = &p;
    **pp = 99;
    *pp += 1;
    printf("%d %d\n", a[2], *p);
    set(&p, a);
    printf("%d\n", *p);
    double x = 1.5, y = -2;
    swap(&x, &y, sizeof x);
    printf("%g %g\n", x, y);
    printf("%d\n", *largest(a, 6));
    struct node n[7];
    struct node *root = 0;
    int values[] = {4, 2, 6, 1, 3, 5, 7};
    for (int i = 0; i < 7; i++) {
        n[i] = (struct node){values[i], 0, 0};
        insert(&root, &n[i]);
    }
    printf("%d %d %d\n", depth(root), root->left->right->v, root->right->left->v);
    unsigned w = 0x11223344;
    unsigned char *c = (unsigned char *)&w;
    printf("%x %x\n", c[0], c[3]);
    c[1] = 0xff;
    printf("%x\n", w);
    size_t bits = (size_t)&a[1];
    int *back = (int *)(bits + 4);
    printf("%d\n", *back);
    printf("%d\n", (int)((size_t)&a[3] - (size_t)a));
    void *v = a + 4;
    printf("%d\n", *(int *)v);
    char *mem = (char *)a;
    *(short *)(mem + 4) = 0x7f7f;
    printf("%d\n", a[1]);
    const int *const cp = a;
    printf("%d %d\n", cp[4], cp ? 1 : 0);
    int *null = 0;
    printf("%d %d\n", null == 0, !null);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (*row)[3] = m;
    printf("%d %d\n", (*(row + 1))[2], *(*row + 1));
    int *elems[3] = {&a[5], &a[0], &m[1][1]};
    int s = 0;
    for (int **e = elems; e != elems + 3; e++) s += **e;
    printf("%d\n", s);
    void *self = &self;
    printf("%d\n", *(void **)self == self);
    char *strs[] = {"x", "yy", "zzz", 0};
    int len = 0;
    for (char **t = strs; *t; t++) for (char *u = *t; *u; u++) len++;
    printf("%d\n", len);
    return 0;
}
