extern void reach_error(void);
struct { int a, b; } s;
int main(void) {
    int v[4];
    if ((unsigned long)&s.b - (unsigned long)&s.a != 4 || &v[3] - &v[1] != 2 || !(&v[2] > &v[1])) reach_error();
    return 0;
}
