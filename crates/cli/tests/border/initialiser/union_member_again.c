extern void reach_error(void);
union U { int i; struct { int x, y; } p; } g = {.p = {1, 2}, .i = 0};
int main(void) {
    union U u = {.p = {1, 2}, .p = {3, 4}, .i = 5};
    // What `.i` does not fill is zero in `g` and unspecified in `u`.
    if (g.p.y != 0 || u.p.x != 5) reach_error();
    return 0;
}
