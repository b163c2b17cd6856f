// What the program has handed out may come back.
void reach_error(void);
struct operations { int (*get)(int); };
struct operations *lookup(void);
void subscribe(int (*)(int));
static int seen;
static int callback(int n) { return seen = n; }

int main(void) {
    subscribe(callback);
    seen = 0;
    struct operations *found = lookup();
    found->get(3);
    if (seen == 3) reach_error();
    return 0;
}
