extern void reach_error(void);
int main(void) {
    union { void (*f)(void); unsigned long n; } u;
    u.f = reach_error;
    unsigned long n = u.n;
    u.n = n;
    u.f();
    return 0;
}
