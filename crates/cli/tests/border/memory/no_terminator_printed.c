// puts does, too.
int puts(const char *);

int main(void) {
    char s[3] = {'a', 'b', 'c'};
    puts(s);
    return 0;
}
