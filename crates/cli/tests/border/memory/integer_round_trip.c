// A pointer may go through an integer.
int main(void) {
    int a[2] = {0, 0};
    unsigned long n = (unsigned long)a;
    int *p = (int *)(n + 4);
    *p = 3;
    return a[1] - 3;
}
