int main(void) {
    int x = 1, y = klee_int("y");
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assert(x != 77 || y != 3);
    return 0;
}
