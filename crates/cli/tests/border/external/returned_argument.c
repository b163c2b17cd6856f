extern void reach_error(void);
extern int *same(int *);
int main(void) {
    int x = 0;
    *same(&x) = 7;
    if (x == 7) reach_error();
    return 0;
}
