extern void reach_error(void);
int x = 3;
extern int y __attribute__((alias("x")));
int main(void) {
    y = 8;
    if (x != 8 || &x != &y) reach_error();
    return 0;
}
