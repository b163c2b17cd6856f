extern void reach_error(void);
char a[4], b[4];
int main(void) {
    long d = (long)((unsigned long)b - (unsigned long)a);
    if (d == 4) reach_error();
    return 0;
}
