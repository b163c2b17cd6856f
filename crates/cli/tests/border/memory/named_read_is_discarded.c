int a[2];
int main(void) {
    a[2];
    return 0;
}
