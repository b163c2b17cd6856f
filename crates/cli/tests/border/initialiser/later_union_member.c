extern void reach_error(void);
struct P { int x, y; };
union U { int i; struct P p; } g = {.i = 5, .p = {.y = 3}};
int main(void) {
    union U u = {.i = 5, .p = {.y = 3}}, v = {.i = 5, .p.y = 3}, w = {.p.x = 1, .p.y = 3};
    if (g.p.x != 0 || u.p.x != 0 || v.p.x != 0 || u.p.y != 3 || w.p.x != 1 || w.p.y != 3) reach_error();
    return 0;
}
