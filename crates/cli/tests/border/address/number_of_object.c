extern void reach_error(void);
int main(void) {
    int x = 3;
    unsigned long number = (unsigned long)&x;
    int *p = (int *)number;
    *p = 4;
    if (x == 4) reach_error();
    return 0;
}
