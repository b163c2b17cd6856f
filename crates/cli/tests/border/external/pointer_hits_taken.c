extern void reach_error(void);
extern int *lend(int *);
int main(void) {
    int x = 0, *q = lend(&x);
    *q = 7;
    if (x == 7) reach_error();
    return 0;
}
