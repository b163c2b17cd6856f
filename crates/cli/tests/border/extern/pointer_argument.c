extern void reach_error(void);
extern void change(int *);
int main(void) {
    int x = 1;
    change(&x);
    if (x != 1) reach_error();
    return 0;
}
