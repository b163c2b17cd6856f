extern void reach_error(void);
static int i, a[2];
static int step(void) { i = 1; return 5; }
static int *place(void) { return &a[i]; }
int main(void) {
    *place() = step();
    if (a[1] == 5) reach_error();
    return 0;
}
