extern void reach_error(void);
static int set(int *p, int v) { *p = v; return v; }
int main(void) {
    int x = 0;
    int r = set(&x, 1) + set(&x, 2);
    if (x == 1 && r == 3) reach_error();
    return 0;
}
