extern void reach_error(void);
extern int a[8];
int main(void) {
    int x = a[1];
    a[2] = 5;
    if (a[1] != x || a[2] != 5) reach_error();
    return 0;
}
