extern void reach_error(void);
int main(void) {
    int a[6] = {[0 ... 3] = 1, [2] = 0};
    if (a[1] != 1 || a[2] != 0 || a[3] != 1 || a[4] != 0) reach_error();
    return 0;
}
