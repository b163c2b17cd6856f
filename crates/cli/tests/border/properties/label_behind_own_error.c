void __VERIFIER_error(void) {}
int main(void) {
    __VERIFIER_error();
ERROR:
    return 0;
}
