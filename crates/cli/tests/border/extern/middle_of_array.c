extern void reach_error(void);
extern void fill(int *);
int main(void) {
    int a[4] = {0};
    fill(a + 2);
    if (a[0] == 5) reach_error();
    return 0;
}
