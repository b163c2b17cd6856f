extern void reach_error(void);
struct P { int x, y; };
struct Q { struct P p; int z; } g = {.p.x = 7, .p = {.y = 2}};
int main(void) {
    struct Q l = {.p.x = 7, .z = 1, .p = {.y = 2}};
    if (g.p.x != 0 || g.p.y != 2 || l.p.x != 0 || l.p.y != 2 || l.z != 1) reach_error();
    return 0;
}
