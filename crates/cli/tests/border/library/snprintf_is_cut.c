extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, unsigned long size, const char *format, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[4];
    snprintf(text, sizeof text, "hello %d", 5);
    return 0;
}
