extern void reach_error(void);
extern void x;
int main(void) {
    void *p = &x;
    if (p == 0) reach_error();
    return 0;
}
