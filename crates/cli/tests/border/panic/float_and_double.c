extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    float f = 0.5f;
    double d = 0.5;
    float g = f + f;
    double e = d + d;
    if (g != e || f * 2 != d * 2) reach_error();
    return 0;
}
