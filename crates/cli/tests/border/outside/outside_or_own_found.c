// A pointer that may be either, as one from outside.
extern void reach_error(void);
extern int *outside(void);
extern int __VERIFIER_nondet_int(void);
int g = 1;
int main(void) {
    int *p = __VERIFIER_nondet_int() ? outside() : &g;
    if (*p == 5) reach_error();
}
