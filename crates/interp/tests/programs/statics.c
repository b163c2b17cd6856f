// Static locals and globals, initialisers with addresses, tentative definitions, linkage, shadowing.
int printf(const char *, ...);

int tentative;
int tentative;
int tentative = 4;
extern int later;
static int counter(void) { static int n = 10; return n++; }
static int *cell(int i) { static int cells[3] = {1, 2, 3}; return &cells[i]; }
int later = 8;
int *to_later = &later, **indirect = &to_later;
struct node { int v; struct node *next; };
struct node ring[3] = {{1, &ring[1]}, {2, ring + 2}, {3, &ring[0]}};
const char *mid = "middle" + 3;
int *edge = &ring[2].v - 1 + 1;
static int (*handler)(void) = counter;
char *strings[2] = {"same", "other"};
unsigned long size = sizeof(struct node) * 2;
int folded = (3 + 4 * 5) % 7 - (1 << 4) / 3;
double ratio = 1 / 4.0;

static int shadow(int x) {
    int r = x;
    { int x = r * 2; r += x; { int x = r * 2; r += x; } r += x; }
    for (int x = 0; x < 3; x++) r += x;
    extern int tentative;
    return r + x + tentative;
}

static int fresh(void) { int r = 0; for (int i = 0; i < 3; i++) { static int s; int t = 0; s++; t++; r += s * 10 + t; } return r; }

int main(void) {
    printf("%d ", counter());
    printf("%d ", counter());
    printf("%d\n", handler());
    *cell(1) += 5;
    printf("%d %d %d\n", *cell(0), *cell(1), *cell(2));
    **indirect = 9;
    printf("%d %d\n", later, tentative);
    struct node *n = ring;
    for (int i = 0; i < 7; i++) n = n->next;
    printf("%d %s %d %s\n", n->v, mid, *edge, strings[1]);
    printf("%d %g %d\n", folded, ratio, size == 2 * sizeof *n);
    printf("%d\n", shadow(5));
    printf("%d ", fresh());
    printf("%d\n", fresh());
    return 0;
}
