int main(void) {
    int x;
    if (x == x)
        return 1;
    return 0;
}
