// Two calls may give different results, and the second one may come to a function of the program.
void reach_error(void);
int (*lookup(void))(int);
static int count;
static int callback(int n) { count++; return 1; }
static int (*known)(int) = callback;

int main(void) {
    int (*f)(int) = lookup();
    int first = f(1), second = f(1);
    if (first == 0 && second == 2 && count == 0) reach_error();
    if (f == known && count != 2) reach_error();
    return 0;
}
