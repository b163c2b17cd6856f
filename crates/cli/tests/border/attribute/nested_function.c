extern void reach_error(void);
int main(void) {
    int n = 1;
    int add(int x) { n += x; return n; }
    if (add(2) != 3 || n != 3) reach_error();
    return 0;
}
