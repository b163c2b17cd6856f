static int n;
static void count(void) { n++; }
static void twice(void (*reach_error)(void)) { reach_error(); reach_error(); }
int main(void) {
    twice(count);
    return n;
}
