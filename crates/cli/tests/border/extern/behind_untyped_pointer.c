extern void reach_error(void);
extern void ext(void *);
struct S { int *p; };
static int x;
int main(void) {
    struct S s = {&x};
    void *v = &s;
    ext(v);
    if (x == 5) reach_error();
    return 0;
}
