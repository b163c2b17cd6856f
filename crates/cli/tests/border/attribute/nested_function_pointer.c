extern void reach_error(void);
static void each(void (*f)(int)) { for (int i = 0; i < 3; i++) f(i); }
int main(void) {
    int sum = 0;
    void add(int x) { sum += x; }
    each(add);
    if (sum == 3) reach_error();
    return 0;
}
