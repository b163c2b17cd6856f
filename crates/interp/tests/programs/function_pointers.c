// Function pointers: tables, parameters, results, structs, comparison, casts, callbacks.
int printf(const char *, ...);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*binop)(int, int);
static binop table[] = {add, &sub, *mul, 0};
struct ops { const char *name; binop op; struct ops *next; };
static struct ops third = {"mul", mul, 0}, second = {"sub", sub, &third}, first = {"add", add, &second};

static int apply(int f(int, int), int a, int b) { return f(a, b); }
static binop pick(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int (*pick_raw(int n))(int, int) { return table[n]; }
static void each(const int *a, int n, void (*visit)(int, void *), void *data) { for (int i = 0; i < n; i++) visit(a[i], data); }
static void accumulate(int x, void *data) { *(long *)data += x; }
static void maximum(int x, void *data) { if (x > *(int *)data) *(int *)data = x; }
static double half(float f) { return f / 2; }
static int self(int (*f)(int), int n) { return n; }

int main(void) {
    for (int i = 0; table[i]; i++) printf("%d ", table[i](7, 3));
    printf("\n");
    for (struct ops *o = &first; o; o = o->next) printf("%s %d %d\n", o->name, o->op(5, 2), (*o->op)(5, 2));
    printf("%d %d %d\n", apply(add, 1, 2), apply(pick('-'), 1, 2), (****pick('*'))(3, 4));
    printf("%d\n", pick_raw(1)(10, 4));
    int a[] = {3, 9, 2, 7};
    long sum = 0;
    int max = 0;
    each(a, 4, accumulate, &sum);
    each(a, 4, maximum, &max);
    printf("%ld %d\n", sum, max);
    printf("%d %d\n", table[0] == add, pick('+') != pick('-'));
    void *raw = (void *)mul;
    printf("%d\n", ((binop)raw)(6, 7));
    double (*h)(float) = half;
    printf("%g %g\n", h(3), h(2.5));
    binop (*chooser)(char) = pick;
    printf("%d\n", chooser('-')(1, 5));
    int (*arr[2][2])(int, int) = {{add, sub}, {mul, add}};
    printf("%d\n", arr[1][0](arr[0][0](1, 2), arr[0][1](9, 4)));
    printf("%d\n", self(0, 3));
    return !table[3] ? 0 : 1;
}
