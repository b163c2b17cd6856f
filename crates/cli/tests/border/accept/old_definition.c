extern void reach_error(void);
int add(a, b)
    int a;
    char b;
{
    return a + b;
}
main() {
    if (add(1, 2) != 3) reach_error();
    return 0;
}
