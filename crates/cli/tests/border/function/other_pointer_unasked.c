void reach_error(void);
struct S { int a; };
static int f(struct S *s) { return s->a; }
int main(void) {
    struct S s = {1};
    if (((int (*)(void *))f)(&s) == 1)
        reach_error();
    return 0;
}
