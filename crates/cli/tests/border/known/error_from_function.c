extern void reach_error(void);
static void (*choose(int n))(void) { return n > 2 ? reach_error : 0; }
int main(void) {
    choose(3)();
    return 0;
}
