extern void reach_error(void);
int main(void) {
    volatile int *status = (volatile int *)0x40001000;
    status[2] = 1;
    if (status[3] == 7) reach_error();
    return 0;
}
