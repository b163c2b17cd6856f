struct s { int a : 3, b : 7; };
int main(void) {
    struct s s[2] = {0};
    (void)s[2].b;
    return 0;
}
