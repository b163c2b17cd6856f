extern void reach_error(void);
static volatile unsigned *const status = (volatile unsigned *)0x40001000;
int main(void) {
    *status = 1;
    if (*status == 2) reach_error();
    return 0;
}
