extern void reach_error(void);
struct B { int a : 3, b : 5; } g = {.b = 3, .a = 1, .b = 0};
int main(void) {
    struct B s = {.b = 3, .a = 1, .b = 0};
    if (s.a != 1 || s.b != 0 || g.a != 1 || g.b != 0) reach_error();
    return 0;
}
