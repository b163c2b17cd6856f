extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// The pointer is the program's, or one from outside.
int *get(void);
void change(int *);
int main(void) {
    int x = 1;
    int *p = __VERIFIER_nondet_int() ? &x : get();
    change(p);
    if (p == &x && x == 7) reach_error();
    return 0;
}
