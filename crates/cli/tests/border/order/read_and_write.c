extern void reach_error(void);
static int x = 1;
static int get(void) { return x; }
static int set(void) { x = 5; return 0; }
int main(void) {
    if (get() + set() == 5) reach_error();
    return 0;
}
