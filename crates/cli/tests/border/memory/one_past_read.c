// A pointer behind the last element may not be read through.
int main(void) {
    int a[3] = {1, 2, 3}, *p = a + 3;
    return *p;
}
