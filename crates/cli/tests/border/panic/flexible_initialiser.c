extern void reach_error(void);
struct s { short n; struct { int a, b; } tail[]; };
struct s x = {1, {{1, 2}, {.b = 4}}};
static struct s *const p = &x;
int main(void) {
    if (p->tail[1].b != 4 || p->tail[1].a) reach_error();
    return 0;
}
