extern void reach_error(void);
// C keeps the other member, gcc makes it zero.
struct T { int k, l; };
struct S { int i; struct T t; };
int main(void) {
    struct T x = {42, 43};
    struct S s = {1, .t = x, .t.l = 41};
    if (s.t.k == 0) reach_error();
    return 0;
}
