// A callee may use what its caller owns.
static void set(int *p) {
    *p = 3;
}

static int sum(int n) {
    int x = 0, y = 0;
    set(&x);
    if (n > 0)
        y = sum(n - 1);
    set(&y);
    return x + y;
}

int main(void) {
    return sum(2) - 6;
}
