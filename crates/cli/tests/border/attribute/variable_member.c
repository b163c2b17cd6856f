extern void reach_error(void);
int main(void) {
    int n = 3;
    struct { char a[n]; char b; } s;
    s.b = 7;
    if (sizeof s == 4 && s.b == 7) reach_error();
    return 0;
}
