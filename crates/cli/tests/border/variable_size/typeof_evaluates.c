extern void reach_error(void);
static int calls;
static int one(void) { return ++calls; }
int main(void) {
    int n = 2, a[3][n];
    typeof(a[one()]) b;
    if (calls != 1 || sizeof b != 2 * sizeof(int)) reach_error();
    return 0;
}
