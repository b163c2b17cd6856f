extern void reach_error(void);
extern int uname(char *);
int main(void) {
    char names[400] = {0};
    uname(names);
    if (names[66]) reach_error();
    return 0;
}
