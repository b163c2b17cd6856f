// check: => false
// check: --extern args => false
// check: --extern all => false
// check: --extern pure => true
// check: --extern unknown => not-true
extern void reach_error(void);
extern void change(int *);
int main(void) {
    int x = 1;
    change(&x);
    if (x != 1) reach_error();
    return 0;
}
