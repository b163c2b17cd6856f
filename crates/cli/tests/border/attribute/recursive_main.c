extern void reach_error(void);
static int depth;
int main(void) {
    if (++depth < 3) return main();
    if (depth == 3) reach_error();
    return 0;
}
