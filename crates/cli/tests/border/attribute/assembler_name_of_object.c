extern void reach_error(void);
int x = 1;
extern int other __asm__("x");
int main(void) {
    other = 5;
    if (x == 5) reach_error();
    return 0;
}
