// Globals have their initial values, or any; constants have theirs.
extern void reach_error(void);
static int g = 3;
static const int c = 4;
static int *p = &g;
void set(int x) { g = x; }
void f(void) {
    if (g != 3)
        reach_error();
}
void constant(void) {
    if (c != 4)
        reach_error();
}
void counter(void) {
    static int calls;
    calls++;
    if (calls > 1)
        reach_error();
}
void pointer(void) {
    if (p != &g)
        reach_error();
}
int main(void) { return 0; }
