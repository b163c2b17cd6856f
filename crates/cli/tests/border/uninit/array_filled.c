// A loop fills the array before another reads it.
int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++) {
        a[i] = i;
    }
    for (int i = 0; i < 4; i++) {
        if (a[i] > 2) {
            return 1;
        }
    }
    return 0;
}
