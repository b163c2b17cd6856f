// It must come back into its object.
int main(void) {
    int a[2] = {0, 0};
    unsigned long n = (unsigned long)a;
    int *p = (int *)(n + 8);
    *p = 3;
    return a[1];
}
