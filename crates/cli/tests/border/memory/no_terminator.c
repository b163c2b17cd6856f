// strlen reads on behind three letters without an end.
unsigned long strlen(const char *);

int main(void) {
    char s[3] = {'a', 'b', 'c'};
    return strlen(s);
}
