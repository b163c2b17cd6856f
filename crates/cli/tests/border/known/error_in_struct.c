extern void reach_error(void);
struct ops { int n; void (*run)(void); };
static void call(const struct ops *o) { o->run(); }
int main(void) {
    struct ops list[2] = {{1, 0}, {.run = &reach_error}};
    call(list + 1);
    return 0;
}
