extern void reach_error(void);
extern char *name;
int main(void) {
    if (name && name[0] == 'x') reach_error();
    return 0;
}
