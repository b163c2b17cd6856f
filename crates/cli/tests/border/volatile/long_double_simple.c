extern void reach_error(void);
int main(void) {
    long double x = 1.5L;
    if (x * 2 != 3 || sizeof x != 16 || (int)x != 1) reach_error();
    return 0;
}
