extern void reach_error(void);
int main(void) {
    char c = 1;
    unsigned char a = 200;
    if (sizeof(c ? c : c) != sizeof(int))
        reach_error();
    if (~(c ? a : a) >= 0)
        reach_error();
    return 0;
}
