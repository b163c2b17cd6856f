extern void reach_error(void);
extern int input(void);
static int x;
int main(void) {
    int *p = input() ? &x : (int *)0x40001000;
    *p = 1;
    if (x == 0) reach_error();
    return 0;
}
