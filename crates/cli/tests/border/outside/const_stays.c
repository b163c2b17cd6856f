extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// Through a pointer to something constant, nothing changes.
const int *get(void);
void look(const int *);
int main(void) {
    const int *p = get();
    int before = *p;
    look(p);
    if (*p != before) reach_error();
    return 0;
}
