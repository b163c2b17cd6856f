struct s { int a, b; };
int main(void) {
    struct s s[2];
    s[2].b;
    return 0;
}
