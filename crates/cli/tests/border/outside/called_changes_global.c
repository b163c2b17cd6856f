// Under `all`, a function outside may change objects with external linkage.
void reach_error(void);
struct operations { void (*run)(void); };
struct operations *lookup(void);
int shared;

int main(void) {
    struct operations *found = lookup();
    shared = 0;
    found->run();
    if (shared) reach_error();
    return 0;
}
