// A function that is handed over returns any value and may change what it gets, but no local variable of its caller.
extern void reach_error(void);
void calls(int (*f)(int)) {
    if (f && f(1) == 77)
        reach_error();
}
void changes(void (*f)(int *)) {
    int x = 1;
    if (f)
        f(&x);
    if (x == 99)
        reach_error();
}
void keeps(void (*f)(int)) {
    int x = 1;
    if (f)
        f(x);
    if (x != 1)
        reach_error();
}
int main(void) { return 0; }
