extern void reach_error(void);
extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, unsigned long size, const char *format, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[32];
    int n = sprintf(text, "%d.", __VERIFIER_nondet_int());
    if (n < 2 || n > 14)
        reach_error();
    return 0;
}
