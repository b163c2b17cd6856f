extern void reach_error(void);
__attribute__((weak)) int level(void) { return 2; }
int main(void) {
    if (level() != 2) reach_error();
    return 0;
}
