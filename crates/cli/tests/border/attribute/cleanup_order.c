extern void reach_error(void);
static int trace;
static void close(int *p) { trace = trace * 10 + *p; }
static int work(int n) {
    __attribute__((cleanup(close))) int a = 1;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(close))) int b = 2;
        if (n) break;
    }
    __attribute__((cleanup(close))) int c = 3;
    return trace;
}
int main(void) {
    if (work(1) != 2 || trace != 231) reach_error();
    return 0;
}
