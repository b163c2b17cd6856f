extern void reach_error(void);
extern int absent(void) __attribute__((weak));
int main(void) {
    int x = absent ? 1 : 2;
    if (x == 2) reach_error();
    return 0;
}
