// Unions that no initialiser speaks of, and static ones, are zero as a whole; so is what `{}` initialises.
void reach_error(void);

union wide {
    struct {
        short a, b;
    } s;
    long l;
};
struct s {
    int a;
    union {
        char c;
        int i;
    } u;
    int b;
};

int main(void) {
    static union wide st = {{7}};
    union wide e = {};
    union wide y = {{7}};
    struct s z = {1};
    struct s x = {1, {.c = 2}, 3};
    if (st.l != 7 || e.l != 0 || z.u.i != 0) reach_error();
    if (y.s.a != 7 || y.s.b != 0) reach_error();
    if (x.a != 1 || x.u.c != 2 || x.b != 3) reach_error();
    return 0;
}
