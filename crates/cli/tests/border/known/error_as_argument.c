extern void reach_error(void);
static void twice(void (*f)(void)) { f(); f(); }
int main(void) {
    twice(reach_error);
    return 0;
}
