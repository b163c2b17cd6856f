// A string literal may not be written.
int main(void) {
    char *s = "abc";
    s[0] = 'x';
    return 0;
}
