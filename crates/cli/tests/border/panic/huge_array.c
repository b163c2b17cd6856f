extern void reach_error(void);
static char big[1ul << 40];
int main(void) {
    big[(1ul << 40) - 1] = 3;
    if (big[(1ul << 40) - 1] != 3 || big[7]) reach_error();
    return 0;
}
