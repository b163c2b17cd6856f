extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, unsigned long size, const char *format, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[4];
    snprintf(text, 8, "hello");
    return 0;
}
