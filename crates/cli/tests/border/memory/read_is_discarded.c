// The value is not used, the access takes place.
int main(void) {
    volatile int *p = 0;
    *p;
    return 0;
}
