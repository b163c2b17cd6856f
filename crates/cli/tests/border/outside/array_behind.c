// There are as many elements as are accessed.
extern void reach_error(void);
extern int *outside(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = outside();
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 9) return 0;
    p[i] = 7;
    p[3] = 1;
    if (i != 3 && p[i] != 7) reach_error();
    if (i == 3 && p[i] != 1) reach_error();
}
