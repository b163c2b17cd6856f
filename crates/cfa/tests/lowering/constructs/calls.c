// Structs are passed and returned by address; a pointer to a function is called indirectly.
struct pair {
    int a, b;
};

struct pair swap(struct pair p) {
    struct pair q = {p.b, p.a};
    return q;
}

static int twice(int x) {
    return 2 * x;
}

int (*operation)(int) = twice;

int main(void) {
    struct pair p = {1, 2};
    p = swap(p);
    int direct = (*twice)(swap(p).a);
    return operation(direct + p.a);
}
