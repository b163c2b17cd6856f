extern void reach_error(void);
extern void fill(int a[], int n);
int main(void) {
    int a[4] = {0};
    fill(a, 4);
    if (a[3] == 5) reach_error();
    return 0;
}
