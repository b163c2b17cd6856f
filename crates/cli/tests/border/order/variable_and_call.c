extern void reach_error(void);
static int x = 1;
static int set(void) { x = 5; return 0; }
int main(void) {
    int r = x + set();
    if (r == 1) reach_error();
    return 0;
}
