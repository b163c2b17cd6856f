// What is beyond an object is not outside.
extern void reach_error(void);
int a[4];
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    int x = a[i];
    if (i < 0 || i > 3) reach_error();
    return x;
}
