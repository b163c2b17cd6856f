extern void reach_error(void);
typedef int small __attribute__((mode(QI)));
typedef unsigned big __attribute__((mode(DI)));
int main(void) {
    small s = (small)200;
    if (sizeof(small) != 1 || sizeof(big) != 8 || s != -56) reach_error();
    return 0;
}
