extern void reach_error(void);
int main(void) {
    __builtin_trap();
    reach_error();
    return 0;
}
