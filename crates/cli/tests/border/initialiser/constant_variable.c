extern void reach_error(void);
static const int n = 5;
static int a[4];
static int m = n;
static long d = &a[2] - &a[0];
int main(void) {
    if (m != 5 || d != 2) reach_error();
    return 0;
}
