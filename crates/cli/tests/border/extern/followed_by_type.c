extern void reach_error(void);
struct S { int *p; };
extern void ext(struct S *);
static int x, y;
int main(void) {
    struct S s = {&x};
    ext(&s);
    if (y == 5) reach_error();
    return 0;
}
