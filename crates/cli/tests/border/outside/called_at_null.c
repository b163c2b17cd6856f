// A call through null ends the program.
void reach_error(void);
int (*lookup(void))(int);

int main(void) {
    int (*f)(int) = lookup();
    f(1);
    if (!f) reach_error();
    return 0;
}
