extern void reach_error(void);
static int trace;
static int d(int x) { trace = trace * 10 + x; return 1; }
int main(void) {
    int r = (d(1), d(2)) && d(3);
    r += d(4) ? d(5) : d(6);
    if (trace != 12345 || r != 2) reach_error();
    return 0;
}
