extern void reach_error(void);
extern unsigned input(void);
int main(void) {
    int *p = (int *)(0xffff888000000000 + 64UL * input());
    *p = 1;
    reach_error();
    return 0;
}
