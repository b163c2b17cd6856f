extern void reach_error(void);
extern int isdigit(int);
extern int isspace(int);
extern int isnan(double);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int c = __VERIFIER_nondet_int();
    if (isdigit(c) && (c < '0' || c > '9')) reach_error();
    int space = isspace(c);
    if (space && c > ' ') reach_error();
    if (!space && c == ' ') reach_error();
    if (isdigit('x') != 0 || !isdigit('0')) reach_error();
    int none = isdigit('x');
    if (none != 0) reach_error();
    if (isnan(1.0)) reach_error();
    return 0;
}
