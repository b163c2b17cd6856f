extern void reach_error(void);
int main(int n, char **v) {
    int mine = n;
    if (n > 1 && n < 4) main(n - 1, v);
    if (mine != n) reach_error();
    return 0;
}
