extern void reach_error(void);
extern void die(void) __attribute__((noreturn));
int main(void) {
    die();
    reach_error();
}
