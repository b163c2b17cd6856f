// A function with other parameters cannot be what is called.
void reach_error(void);
struct operations { int (*get)(int); };
struct operations *lookup(void);
void subscribe(int (*)(int, int));
static int seen;
static int callback(int n, int m) { return seen = n + m; }

int main(void) {
    subscribe(callback);
    seen = 0;
    struct operations *found = lookup();
    found->get(3);
    if (seen) reach_error();
    return 0;
}
