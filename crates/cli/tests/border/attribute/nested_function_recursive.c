extern void reach_error(void);
static int depth(int n, int (*outer)(void)) {
    int here(void) { return n; }
    if (n == 0) return outer();
    return depth(n - 1, n == 2 ? here : outer);
}
int main(void) {
    if (depth(3, 0) == 2) reach_error();
    return 0;
}
