// Fields of different widths do not overlap.
extern void reach_error(void);
struct s { char c; short h; int i; long l; struct s *next; };
extern struct s *outside(void);
int main(void) {
    struct s *p = outside();
    p->c = 1;
    p->h = 2;
    p->i = 3;
    p->l = 4;
    if (p->c != 1 || p->h != 2 || p->i != 3 || p->l != 4) reach_error();
}
