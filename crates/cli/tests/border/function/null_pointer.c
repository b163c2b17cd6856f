// A pointer may be null, and one in an object may be even if arguments are not.
extern void reach_error(void);
struct s { int *p; };
void f(char *a) {
    if (!a)
        reach_error();
}
void inner(struct s *s) {
    if (!s->p)
        reach_error();
}
int main(void) { return 0; }
