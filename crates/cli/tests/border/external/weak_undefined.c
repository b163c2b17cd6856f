extern void reach_error(void);
extern int maybe __attribute__((weak));
int main(void) {
    if (&maybe) reach_error();
    return 0;
}
