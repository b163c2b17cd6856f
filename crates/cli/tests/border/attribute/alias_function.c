extern void reach_error(void);
static int calls;
void real(void) { calls++; }
void other(void) __attribute__((alias("real")));
int main(void) {
    other();
    if (calls == 1) reach_error();
    return 0;
}
