extern void reach_error(void);
static int x;
__attribute__((destructor)) static void end(void) { if (x == 2) reach_error(); }
int main(void) {
    x = 2;
    return 0;
}
