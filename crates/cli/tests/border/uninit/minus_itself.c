int main(void) {
    int x;
    int y = x - x;
    return y ? 1 : 0;
}
