extern void reach_error(void);
#define KIND(e) _Generic((e), int *: 1, const int *: 2, int: 3, char *: 4, default: 5)
int main(void) {
    const int c = 1;
    int v = 2;
    if (KIND(&c) != 2 || KIND(&v) != 1 || KIND(c) != 3 || KIND("s") != 4 || KIND((const char)'c') != 5) reach_error();
    return 0;
}
