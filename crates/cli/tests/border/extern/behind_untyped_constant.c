extern void reach_error(void);
extern void ext(const void *);
struct S { int *p; };
static int x;
int main(void) {
    static struct S s = {&x};
    const void *v = &s;
    ext(v);
    if (x == 5) reach_error();
    return 0;
}
