// A copy brings what was written, and anything else.
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
struct s { int a; char c; int b; };
extern struct s *outside(void);
int main(void) {
    struct s x, *p = outside();
    p->b = 9;
    memcpy(&x, p, sizeof x);
    if (x.b != 9) reach_error();
    if (x.a == 4) reach_error();
}
