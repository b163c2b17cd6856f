extern void reach_error(void);
extern int ask();
int main(void) {
    int x = 0;
    ask(3, &x);
    if (x == 5) reach_error();
    return 0;
}
