// A library function that is modelled in C is lowered like the program's own, with all that stands in the same file.
unsigned long strnlen(const char *, unsigned long);

int main(void) {
    return strnlen("abc", 2);
}
