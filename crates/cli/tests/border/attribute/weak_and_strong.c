extern void reach_error(void);
extern int level(void) __attribute__((weak));
int level(void) { return 2; }
int main(void) {
    if (level && level() != 2) reach_error();
    return 0;
}
