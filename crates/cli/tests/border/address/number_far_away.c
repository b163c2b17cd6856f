extern void reach_error(void);
int main(void) {
    int *p = (int *)0xdead000000000100;
    *p = 1;
    reach_error();
    return 0;
}
