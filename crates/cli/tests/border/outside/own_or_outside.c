// A pointer that may be either, as an own one.
extern void reach_error(void);
extern int *outside(void);
extern int __VERIFIER_nondet_int(void);
int g = 1;
int main(void) {
    int *p = __VERIFIER_nondet_int() ? outside() : &g;
    *p = 2;
    if (g == 2) reach_error();
}
