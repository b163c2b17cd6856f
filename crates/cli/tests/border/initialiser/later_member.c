extern void reach_error(void);
struct P { int x, y; };
struct Q { struct P p; int z; };
int main(void) {
    struct Q q = {.p = {1, 2}, .p.x = 0, .z = 3};
    if (q.p.x != 0 || q.p.y != 2 || q.z != 3) reach_error();
    return 0;
}
