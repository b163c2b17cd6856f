extern void reach_error(void);
extern void change(int *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() & 3;
    if (x > 3) change(&x);
    if (x > 3) reach_error();
    return 0;
}
