extern void reach_error(void);
extern int getitimer();
int main(void) {
    long timer[4] = {0};
    getitimer(0, timer);
    if (timer[3]) reach_error();
    return 0;
}
