// An undefined value goes through a parameter and a result.
static int next(int x) {
    return x + 1;
}

int main(void) {
    int x;
    int y = next(x);
    while (y > 0) {
        y--;
    }
    return 0;
}
