extern void reach_error(void);
// On x86 a `long double` has 64 digits, and more exponents than a double.
int main(void) {
    if (!((float)(1.0L + 0x1p-24L + 0x1p-60L) == 1.0f)) reach_error();
    return 0;
}
