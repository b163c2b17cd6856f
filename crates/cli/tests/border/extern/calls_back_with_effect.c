extern void reach_error(void);
extern void each(int (*)(int), int);
static int sum;
static int add(int x) { sum += x; return sum; }
int main(void) {
    each(add, 3);
    if (sum != 0) reach_error();
    return 0;
}
