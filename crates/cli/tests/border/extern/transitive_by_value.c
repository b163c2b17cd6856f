extern void reach_error(void);
struct box { int *p; };
extern void take(struct box);
int main(void) {
    int x = 1;
    struct box b = {&x};
    take(b);
    if (x == 2) reach_error();
    return 0;
}
