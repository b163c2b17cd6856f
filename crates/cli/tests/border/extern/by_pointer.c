extern void reach_error(void);
extern void change(int *);
extern void other(int *);
int main(void) {
    void (*f)(int *) = change;
    int x = 1;
    f(&x);
    if (x != 1) reach_error();
    return 0;
}
