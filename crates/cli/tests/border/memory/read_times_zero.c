int main(void) {
    int *p = 0;
    int x = *p * 0;
    return x;
}
