extern void reach_error(void);
static int x = 1;
static int add(void) { return x += 2; }
static int twice(void) { return x *= 2; }
int main(void) {
    int r = add() - twice();
    if (r == 3 - 6) reach_error();
    return 0;
}
