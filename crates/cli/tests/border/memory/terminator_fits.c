// With room for the end of the string it is fine.
char *strcpy(char *, const char *);
int puts(const char *);

int main(void) {
    char s[4];
    strcpy(s, "abc");
    puts(s);
    return 0;
}
