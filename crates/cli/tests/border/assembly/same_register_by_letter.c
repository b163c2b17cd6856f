extern void reach_error(void);
int main(void) {
    int x;
    __asm__("incl %0" : "=a"(x) : "a"(6));
    if (x != 7) reach_error();
    return 0;
}
