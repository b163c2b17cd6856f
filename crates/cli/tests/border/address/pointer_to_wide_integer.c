extern void reach_error(void);
int main(void) {
    void *p = (void *)0xfffffff0u;
    if ((long long)p != -16LL) reach_error();
    return 0;
}
