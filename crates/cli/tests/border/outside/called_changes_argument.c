// A function outside may change what its arguments reach, also under `pure`, which speaks of names.
void reach_error(void);
struct operations { void (*put)(int *); };
struct operations *lookup(void);

int main(void) {
    struct operations *found = lookup();
    int x = 1;
    found->put(&x);
    if (x == 7) reach_error();
    return 0;
}
