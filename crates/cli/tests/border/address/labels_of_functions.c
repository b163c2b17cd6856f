extern void reach_error(void);
static void *f(void) {
label:
    return &&label;
}
static void *g(void) {
label:
    return &&label;
}
int main(void) {
    if (f() == g()) reach_error();
    return 0;
}
