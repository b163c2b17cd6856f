// strcpy writes the end of the string, too.
char *strcpy(char *, const char *);

int main(void) {
    char s[3];
    strcpy(s, "abc");
    return 0;
}
