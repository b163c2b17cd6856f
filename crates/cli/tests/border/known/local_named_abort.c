extern void reach_error(void);
static void nothing(void) {}
int main(void) {
    void (*abort)(void) = nothing;
    abort();
    reach_error();
    return 0;
}
