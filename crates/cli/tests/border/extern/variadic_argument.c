extern void reach_error(void);
extern void ask(const char *, ...);
int main(void) {
    int x = 0;
    ask("n", &x);
    if (x == 5) reach_error();
    return 0;
}
