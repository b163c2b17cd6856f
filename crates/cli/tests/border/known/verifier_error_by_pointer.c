extern void __VERIFIER_error(void);
int main(void) {
    void (*volatile q)(void) = __VERIFIER_error;
    q();
    return 0;
}
