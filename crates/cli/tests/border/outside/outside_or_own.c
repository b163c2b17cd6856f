// A pointer that may be either changes what it points to.
extern void reach_error(void);
extern int *outside(void);
extern int __VERIFIER_nondet_int(void);
int g = 1;
int main(void) {
    int own = __VERIFIER_nondet_int();
    int *p = own ? &g : outside();
    *p = 2;
    if (own && g != 2) reach_error();
}
