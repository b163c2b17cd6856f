extern void reach_error(void);
struct mode {
    volatile unsigned on : 1, level : 5;
    volatile _Bool busy;
};
#define MODE ((struct mode *)0x40000000)
int main(void) {
    if (MODE->level > 31 || MODE->on > 1 || MODE->busy > 1) reach_error();
    return 0;
}
