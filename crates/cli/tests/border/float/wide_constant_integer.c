extern void reach_error(void);
// On x86 a `long double` has 64 digits, and more exponents than a double.
int main(void) {
    if (!(!((long double)0x7fffffffffffffffL < 0x1p63L))) reach_error();
    return 0;
}
