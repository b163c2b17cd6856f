extern void reach_error(void);
static void check(int *p) { if (*p == 5) reach_error(); }
static int work(void) {
    __attribute__((cleanup(check))) int a = 1;
    return a = 5;
}
int main(void) { return work(); }
