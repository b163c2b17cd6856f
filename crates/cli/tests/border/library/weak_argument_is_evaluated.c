extern void reach_error(void);
static int n;
static int zero(void) { n++; return 0; }
int main(void) {
    int x = 1, old = 1;
    __atomic_compare_exchange_n(&x, &old, 5, zero(), __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (n != 1 || x != 5) reach_error();
    return 0;
}
