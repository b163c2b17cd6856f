extern void reach_error(void);
int main(void) {
    int x = 1, y = 2, z = 0;
    __atomic_load(&x, &z, __ATOMIC_SEQ_CST);
    if (z != 1) reach_error();
    __atomic_store(&x, &y, __ATOMIC_SEQ_CST);
    if (x != 2) reach_error();
    y = 9;
    __atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);
    if (x != 9 || z != 2) reach_error();
    z = 8;
    if (__atomic_compare_exchange(&x, &z, &y, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || z != 9) reach_error();
    return 0;
}
