extern void reach_error(void);
extern unsigned long base(void);
int main(void) {
    int *p = (int *)base();
    if (!p) return 0;
    *p = 1;
    reach_error();
    return 0;
}
