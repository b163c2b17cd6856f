extern void reach_error(void);
extern int hash(char *) __attribute__((pure));
extern int square(int *) __attribute__((const));
int main(void) {
    char b[2] = "a";
    int x = 3;
    hash(b);
    square(&x);
    if (b[0] != 'a' || x != 3) reach_error();
    return 0;
}
