extern void reach_error(void);
// On x86 a `long double` has 64 digits, and more exponents than a double.
int main(void) {
    if (!(1e-400L == 0)) reach_error();
    return 0;
}
