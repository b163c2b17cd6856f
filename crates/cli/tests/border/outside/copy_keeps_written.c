// Structures are copied from there as a whole.
extern void reach_error(void);
struct s { int a; char c; int b; };
extern struct s *outside(void);
int main(void) {
    struct s *p = outside(), x = *p;
    p->b = x.b + 1;
    struct s y = *p;
    if (y.a != x.a || y.c != x.c || y.b != x.b + 1) reach_error();
}
