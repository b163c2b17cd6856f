extern void reach_error(void);
int main(void) {
    int a = 0;
    const int *p = &a;
    if (_Generic(1 ? p : &a, const int *: 1, int *: 2) != 1)
        reach_error();
    return 0;
}
