extern void reach_error(void);
int main(void) {
    long double x = 1.0L + 1e-18L;
    if (x > 1.0L) reach_error();
    return 0;
}
