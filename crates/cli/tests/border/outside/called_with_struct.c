// Structs by value and as results, and variable arguments.
void reach_error(void);
struct pair { int a, b; };
struct operations { struct pair (*swap)(struct pair); int (*print)(const char *, ...); };
struct operations *lookup(void);

int main(void) {
    struct operations *found = lookup();
    struct pair p = {1, 2};
    struct pair q = found->swap(p);
    int n = found->print("%d %d", p.a, p.b);
    if (p.a != 1 || p.b != 2) return 1;
    if (q.a == 2 && q.b == 1 && n == 3) reach_error();
    return 0;
}
