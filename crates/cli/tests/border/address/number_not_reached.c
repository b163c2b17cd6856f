extern void reach_error(void);
int main(void) {
    int x = 3;
    if (x == 4) *(volatile int *)0x40001000 = 1;
    if (x != 3) reach_error();
    return 0;
}
