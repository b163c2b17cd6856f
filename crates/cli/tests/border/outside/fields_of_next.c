// Structures come into being as they are touched.
extern void reach_error(void);
struct s { char c; short h; int i; struct s *next; };
extern struct s *outside(void);
int main(void) {
    struct s *p = outside();
    if (p->next->next->h == 7 && p->c == 1 && p->next->i == -5) reach_error();
}
