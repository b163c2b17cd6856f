// Without a check of memory, a true says which accesses it takes to be valid.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int x = 0, *p = 0;
    if (__VERIFIER_nondet_int())
        p = &x;
    *p = 1;
    if (x != 1)
        reach_error();
    return 0;
}
