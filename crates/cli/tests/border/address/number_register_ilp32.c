extern void reach_error(void);
#define STATUS (*(volatile unsigned *)0x40001000)
int main(void) {
    while (STATUS & 1) {}
    reach_error();
    return 0;
}
