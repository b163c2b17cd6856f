extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// An object's address or a number, in an initialiser.
static unsigned x;
struct device { unsigned *base; int line; };
static struct device devices[2] = {{&x, 1}, {(unsigned *)0x40000000, 2}};
int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    *devices[i].base = 1;
    if (i) reach_error();
    return 0;
}
