extern void reach_error(void);
extern int atexit(void (*f)(void));
extern void die(void) __attribute__((noreturn));
void last(void) { reach_error(); }
int main(void) {
    atexit(last);
    die();
}
