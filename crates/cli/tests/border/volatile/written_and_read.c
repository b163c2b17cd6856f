extern void reach_error(void);
int main(void) {
    volatile int x = 1;
    x = 5;
    if (x != 5) reach_error();
    return 0;
}
