extern void reach_error(void);
// On x86 a `long double` has 64 digits, and more exponents than a double.
int main(void) {
    if (!(!(1e400L > 1e350L))) reach_error();
    return 0;
}
