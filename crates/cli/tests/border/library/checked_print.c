extern void reach_error(void);
extern int __sprintf_chk(char *, int, unsigned long, const char *, ...);
int main(void) {
    char b[8] = "";
    __sprintf_chk(b, 1, sizeof b, "%d", 7);
    if (b[0] == '7') reach_error();
    return 0;
}
