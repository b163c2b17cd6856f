extern void reach_error(void);
static int below(char *p) { char c; return (unsigned long)p > (unsigned long)&c; }
int main(void) {
    char c;
    if (!below(&c)) reach_error();
    return 0;
}
