// The object around a member, as by `container_of`.
extern void reach_error(void);
struct s { int a, b; };
extern int *outside(void);
int main(void) {
    int *b = outside();
    struct s *s = (struct s *)((char *)b - 4);
    s->a = 1;
    *b = 2;
    if (s->b != 2 || s->a != 1) reach_error();
}
