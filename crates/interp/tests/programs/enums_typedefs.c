// Enumerations, typedefs and their shadowing, scopes of tags, incomplete types.
int printf(const char *, ...);

enum colour { RED, GREEN = 5, BLUE, DARK = -2, NEXT };
enum { ANON = 1 << 4, LAST = ANON | 3 };
typedef int number;
typedef number vector[3];
typedef struct list list;
struct list { number head; list *tail; };
typedef enum colour shade;
typedef int (*operation)(number);
enum big { HUGE = 0x7fffffff };
enum unsig { U = 0x80000000 };

static number negate(number n) { return -n; }
static int sum(list *l) { return l ? l->head + sum(l->tail) : 0; }
static int dot(const vector a, const vector b) { int s = 0; for (int i = 0; i < 3; i++) s += a[i] * b[i]; return s; }
static shade mix(shade a, enum colour b) { return a > b ? a : b; }

int main(void) {
    printf("%d %d %d %d %d %d\n", RED, GREEN, BLUE, DARK, NEXT, LAST);
    enum colour c = BLUE;
    c++;
    printf("%d %d\n", c, c == 7);
    printf("%d %d\n", (int)sizeof(enum colour), U > 0);
    vector v = {1, 2, 3};
    printf("%d %d\n", dot(v, (vector){4, 5, 6}), (int)sizeof(vector));
    {
        typedef char number;
        number n = 300;
        printf("%d %d\n", n, (int)sizeof(number));
        int vector = 3;
        vector *= 2;
        printf("%d\n", vector);
        enum { RED = 100, GREEN };
        printf("%d %d\n", RED, GREEN);
        struct list { char c; } l = {'x'};
        printf("%d %c\n", (int)sizeof(struct list), l.c);
    }
    number number = 5;
    number++;
    printf("%d\n", number);
    list c3 = {3, 0}, c2 = {2, &c3}, c1 = {1, &c2};
    printf("%d\n", sum(&c1));
    operation op = negate;
    printf("%d\n", op(4));
    printf("%d\n", mix(RED, GREEN));
    int a[LAST] = {[BLUE] = 1};
    printf("%d %d\n", (int)(sizeof a / sizeof *a), a[6]);
    switch (mix(DARK, NEXT)) { case NEXT: printf("next\n"); break; default: printf("other\n"); }
    struct opaque *p = 0;
    struct opaque { int x; } o = {4};
    p = &o;
    printf("%d\n", p->x);
    typedef struct { int x; } T;
    T T1 = {1};
    struct outer { enum inner { IN = 9 } e; struct in2 { int y; } s; } w = {IN, {2}};
    struct in2 y = w.s;
    printf("%d %d %d\n", T1.x, w.e, y.y);
    return 0;
}
