extern void reach_error(void);
int main(void) {
    int n = 3, a[n] = {};
    if (a[1]) reach_error();
    return 0;
}
