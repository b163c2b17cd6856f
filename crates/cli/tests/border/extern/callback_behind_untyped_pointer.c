extern void reach_error(void);
extern void ext(void *);
struct S { void (*f)(void); };
static int x;
static void set(void) { x = 5; }
int main(void) {
    struct S s = {set};
    void *v = &s;
    ext(v);
    if (x == 5) reach_error();
    return 0;
}
