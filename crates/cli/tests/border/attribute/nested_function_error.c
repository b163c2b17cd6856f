extern void reach_error(void);
int main(void) {
    int n = 1;
    void check(void) { if (n == 2) reach_error(); }
    n = 2;
    check();
    return 0;
}
