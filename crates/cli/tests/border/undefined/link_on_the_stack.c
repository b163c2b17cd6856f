// The same on the stack.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *other; int value; };
static struct node *first(struct node *all) { return &all[__VERIFIER_nondet_int() & 1]; }
int main(void) {
    struct node all[2];
    struct node *p = first(all);
    if (p->other->value == 7) {
        reach_error();
    }
    return 0;
}
