extern void reach_error(void);
static int *at(unsigned long base) { return (int *)base; }
static int get(int *p) { return p[1]; }
int main(void) {
    if (get(at(4096)) == 3) reach_error();
    return 0;
}
