// Even without the number, the text is longer than its array.
extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, unsigned long size, const char *format, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[4];
    int x = __VERIFIER_nondet_int();
    sprintf(text, "no %d", x);
    return 0;
}
