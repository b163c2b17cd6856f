extern void reach_error(void);
extern void *dlsym(void *, const char *);
void bad(void) { reach_error(); }
int main(void) {
    void (*f)(void) = (void (*)(void))dlsym(0, "bad");
    if (f) f();
    return 0;
}
