extern void reach_error(void);
// gcc evaluates it once.
int main(void) {
    int i = 0;
    int a[4] = {[0 ... 3] = i++};
    if (i == 1 && a[3] == 0) reach_error();
    return 0;
}
