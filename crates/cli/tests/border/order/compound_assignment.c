extern void reach_error(void);
static int x = 1;
static int set(void) { x = 10; return 5; }
int main(void) {
    x += set();
    if (x == 6) reach_error();
    return 0;
}
