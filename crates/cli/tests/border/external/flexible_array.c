extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// What is behind a struct with an array without a size.
struct list { int length; int items[]; };
extern struct list list;
int main(void) {
    if (list.items[0] == 7) reach_error();
    return 0;
}
