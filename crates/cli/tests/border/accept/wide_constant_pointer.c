extern void reach_error(void);
int main(void) {
    void *p = (void *)0xffffffff00000000;
    char *q = (char *)4294967296;
    if (p == q && p) reach_error();
    return 0;
}
