/* Two counters that move together: after the loop both equal the bound. */

#define BOUND 1000

extern int printf(const char *format, ...);
extern void reach_error(void);

int main(void) {
    int up = 0;
    int down = BOUND;

    while (up < BOUND) {
        up++;
        down--;
    }
    if (up + down != BOUND || down != 0)
        reach_error();

    printf("up %d, down %d\n", up, down);
    return 0;
}
