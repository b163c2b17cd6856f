extern void reach_error(void);
typedef union { int *p; unsigned *q; } either __attribute__((transparent_union));
static int get(either e) { return *e.p; }
int main(void) {
    int x = 4;
    unsigned y = 5;
    if (get(&x) != 4 || get(&y) != 5) reach_error();
    return 0;
}
