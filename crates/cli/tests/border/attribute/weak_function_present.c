extern void reach_error(void);
extern int hook(void) __attribute__((weak));
int main(void) {
    if (hook && hook() == 3) reach_error();
    return 0;
}
