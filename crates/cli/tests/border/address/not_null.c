extern void reach_error(void);
int a;
int main(void) {
    int b, *p = &b;
    if (!&a || !p || !main || !(unsigned long)p) reach_error();
    return 0;
}
