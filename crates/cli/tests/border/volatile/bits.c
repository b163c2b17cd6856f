extern void reach_error(void);
static struct mode {
    volatile unsigned on : 1, level : 5;
    volatile _Bool busy;
} mode;
int main(void) {
    if (mode.level > 31 || mode.on > 1 || mode.busy > 1) reach_error();
    return 0;
}
