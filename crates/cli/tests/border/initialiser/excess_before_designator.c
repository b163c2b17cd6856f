extern void reach_error(void);
static int a[2] = {[1] = 1, 3, [0] = 2};
struct S { int x, y; };
int main(void) {
    struct S s = {1, 2, 3, .x = 4};
    if (a[0] != 2 || a[1] != 1 || s.x != 4 || s.y != 2) reach_error();
    return 0;
}
