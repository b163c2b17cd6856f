// A function outside, found through a pointer from outside, returns anything.
void reach_error(void);
struct operations { int (*get)(int); };
struct operations *lookup(void);

int main(void) {
    struct operations *found = lookup();
    int result = found->get(3);
    if (result == 5) reach_error();
    return 0;
}
