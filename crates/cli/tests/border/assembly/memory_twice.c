extern void reach_error(void);
int main(void) {
    int x = 3;
    __asm__("incl %0" : "=m"(x) : "m"(x));
    if (x != 4) reach_error();
    return 0;
}
