// A variable that was never set stands for any pointer.
extern void reach_error(void);
struct s { int i; struct s *next; };
static void f(struct s *x) {
    if (x->next->i == 4) reach_error();
}
int main(void) {
    struct s *x;
    f(x);
}
