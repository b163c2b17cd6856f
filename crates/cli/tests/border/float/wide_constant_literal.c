extern void reach_error(void);
// On x86 a `long double` has 64 digits, and more exponents than a double.
int main(void) {
    if (!(1.0000000000000000001L == 1.0L)) reach_error();
    return 0;
}
