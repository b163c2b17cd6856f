extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// The same device by a macro and by a variable.
struct uart { volatile unsigned control; };
#define UART ((struct uart *)0x40001000)
int main(void) {
    struct uart *u = UART;
    u->control = 1;
    UART->control = 0;
    if (!u->control) reach_error();
    return 0;
}
