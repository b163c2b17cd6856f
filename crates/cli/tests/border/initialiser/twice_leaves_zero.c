extern void reach_error(void);
int main(void) {
    int a[2] = {[0] = 1, [0] = 2};
    if (a[0] != 2 || a[1] != 0) reach_error();
    return 0;
}
