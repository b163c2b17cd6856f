extern void reach_error(void);
static int trace;
static int d(int x) { trace = trace * 10 + x; return 0; }
int main(void) {
    int r = d(1) + d(2) + d(3);
    if (trace == 312 && r == 0) reach_error();
    return 0;
}
