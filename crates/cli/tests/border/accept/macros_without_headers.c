extern void reach_error(void);
#if !defined(__ATOMIC_SEQ_CST) || !__has_attribute(packed) || !defined(__has_builtin)
#error missing
#endif
int main(void) {
    int x = 1;
    __atomic_store_n(&x, 2, __ATOMIC_RELEASE);
    if (__atomic_load_n(&x, __ATOMIC_ACQUIRE) != 2 || __ATOMIC_RELAXED != 0) reach_error();
    return 0;
}
