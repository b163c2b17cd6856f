// Beside the member that is initialised, a local union holds anything; a static one, and what no initialiser mentions, is zero.
union value {
    char c;
    long l;
};
struct tagged {
    int tag;
    union value v;
};
union value global = {1};

int main(void) {
    union value a = {.c = 2};
    struct tagged b = {3, {4}};
    struct tagged c = {5};
    return a.l + b.v.l + c.v.l + global.l;
}
