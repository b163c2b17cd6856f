extern void reach_error(void);
extern void run(int (*f)(int)) __attribute__((noreturn));
int f(int a) {
    if (a == 7)
        reach_error();
    return 0;
}
int main(void) { run(f); }
