extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// A function without a body changes memory outside that it is given.
struct record { int value; };
struct record *get(void);
void change(struct record *);
int main(void) {
    struct record *p = get();
    p->value = 3;
    change(p);
    if (p->value != 3) reach_error();
    return 0;
}
