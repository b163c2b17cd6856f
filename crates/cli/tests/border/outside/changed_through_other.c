extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// What is behind another pointer from outside may be the same.
int *get(void);
void change(int *);
int main(void) {
    int *p = get(), *q = get();
    *p = 3;
    change(q);
    if (*p != 3) reach_error();
    return 0;
}
