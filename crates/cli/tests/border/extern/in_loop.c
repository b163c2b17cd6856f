extern void reach_error(void);
extern void next(int *);
int main(void) {
    int x = 0;
    for (int i = 0; i < 3; i++) {
        next(&x);
        if (x != i) return 0;
    }
    reach_error();
    return 0;
}
