extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// An object's address, or a sum with a number.
struct uart { volatile unsigned data, state; };
static struct uart fake;
static struct uart *get(unsigned i) { return i ? (struct uart *)(unsigned long)(0x40000000u + 0x400u * i) : &fake; }
int main(void) {
    unsigned i = __VERIFIER_nondet_int() & 3;
    get(i)->data = 1;
    if (i == 2) reach_error();
    return 0;
}
