// What lies outside may be circular.
extern void reach_error(void);
struct s { int i; struct s *next; };
extern struct s *outside(void);
int main(void) {
    struct s *p = outside();
    p->i = 1;
    p->next->i = 2;
    if (p->i == 2) reach_error();
}
