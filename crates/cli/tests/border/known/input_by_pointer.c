extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int (*get)(void) = __VERIFIER_nondet_int;
    int x = get(), y = get();
    if (x == 3 && y == 4) reach_error();
    return 0;
}
