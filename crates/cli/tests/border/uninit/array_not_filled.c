// The last element is left out.
int main(void) {
    int a[4];
    for (int i = 0; i < 3; i++) {
        a[i] = i;
    }
    for (int i = 0; i < 4; i++) {
        if (a[i] > 5) {
            return 1;
        }
    }
    return 0;
}
