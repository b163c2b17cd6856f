extern void reach_error(void);
static int calls;
static void exit(int code) { calls += code; }
int main(void) {
    exit(3);
    void (*f)(int) = exit;
    f(4);
    if (calls == 7) reach_error();
    return 0;
}
