// An undefined value may be copied, passed and returned; it decides nothing.
static int same(int x) {
    return x;
}

int main(void) {
    int x, y, a[2];
    y = same(x);
    a[0] = y + 1;
    return a[0];
}
