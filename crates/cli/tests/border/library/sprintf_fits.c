extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, unsigned long size, const char *format, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[32];
    int x = __VERIFIER_nondet_int();
    sprintf(text, "%d of %s", x, "all");
    return 0;
}
