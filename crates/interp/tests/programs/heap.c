// malloc, calloc, realloc, free: lists, trees, growing arrays, many blocks.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
void free(void *);

struct node { int v; struct node *next; };
static struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
static struct node *reverse(struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } return r; }
static void release(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }

struct tree { int key; struct tree *kid[2]; };
static struct tree *put(struct tree *t, int key) {
    if (!t) { t = calloc(1, sizeof *t); t->key = key; return t; }
    if (key != t->key) t->kid[key > t->key] = put(t->kid[key > t->key], key);
    return t;
}
static int walk(struct tree *t, int rank) { if (!t) return rank; rank = walk(t->kid[0], rank); if (rank < 5) printf("%d ", t->key); return walk(t->kid[1], rank + 1); }
static void cut(struct tree *t) { if (t) { cut(t->kid[0]); cut(t->kid[1]); free(t); } }

int main(void) {
    struct node *l = 0;
    for (int i = 0; i < 10; i++) l = push(l, i * i);
    l = reverse(l);
    for (struct node *n = l; n; n = n->next) printf("%d ", n->v);
    printf("\n");
    release(l);
    int *a = 0, cap = 0, len = 0;
    for (int i = 0; i < 1000; i++) {
        if (len == cap) { cap = cap ? 2 * cap : 4; a = realloc(a, cap * sizeof *a); }
        a[len++] = i * 7 % 13;
    }
    long s = 0;
    for (int i = 0; i < len; i++) s += a[i] * (i % 5);
    printf("%ld %d\n", s, cap);
    a = realloc(a, 8);
    printf("%d %d\n", a[0], a[1]);
    free(a);
    free(0);
    struct tree *t = 0;
    unsigned x = 12345;
    for (int i = 0; i < 500; i++) { x = x * 1103515245 + 12345; t = put(t, x >> 16 & 0x3ff); }
    printf("| %d\n", walk(t, 0));
    cut(t);
    for (int i = 0; i < 20000; i++) { char *p = malloc(i % 300 + 1); p[0] = p[i % 300] = i; free(p); }
    char *big = malloc(1 << 20);
    big[0] = 1;
    big[(1 << 20) - 1] = 2;
    printf("%d\n", big[0] + big[(1 << 20) - 1]);
    free(big);
    int **m = malloc(4 * sizeof *m);
    for (int i = 0; i < 4; i++) { m[i] = malloc(4 * sizeof **m); for (int j = 0; j < 4; j++) m[i][j] = i * j; }
    printf("%d %d\n", m[3][3], m[2][1]);
    for (int i = 0; i < 4; i++) free(m[i]);
    free(m);
    return 0;
}
