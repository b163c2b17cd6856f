extern void reach_error(void);
int x;
long y[2];
struct { char c; double d; } s;
int main(void) {
    short local = 1, *p = &local;
    if ((unsigned long)&x % 4 || (unsigned long)&y[1] % 8 || (unsigned long)&s.d % 8 || (unsigned long)p % 2) reach_error();
    return 0;
}
