// Each iteration has an object of its own.
int main(void) {
    int *p = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int x = 7;
        if (p)
            sum += *p;
        p = &x;
    }
    return sum;
}
