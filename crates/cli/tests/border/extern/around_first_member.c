extern void reach_error(void);
struct H { int id; };
struct S { struct H h; int *p; };
extern void ext(struct H *);
static int x;
int main(void) {
    struct S s = {{1}, &x};
    ext(&s.h);
    if (x == 5) reach_error();
    return 0;
}
