extern void reach_error(void);
int main(void) {
    int n = 3, i = 0, a[2][n];
    int(*p)[n] = a;
    unsigned long s = sizeof(*p++) + sizeof(int[++i]);
    if (p != a + 1 || i != 1 || s != 16) reach_error();
    return 0;
}
