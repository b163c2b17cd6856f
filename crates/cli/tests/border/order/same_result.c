extern void reach_error(void);
static int calls;
static int count(void) { calls++; return 1; }
int main(void) {
    int r = count() + count();
    if (r != 2 || calls != 2) reach_error();
    return 0;
}
