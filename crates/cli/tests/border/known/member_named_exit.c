extern void reach_error(void);
static void stay(int x) {}
int main(void) {
    struct { void (*exit)(int); } s = {stay};
    s.exit(1);
    reach_error();
    return 0;
}
