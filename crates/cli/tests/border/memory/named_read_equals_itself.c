int main(void) {
    int a[2] = {1, 2};
    return !(a[2] == a[2]);
}
