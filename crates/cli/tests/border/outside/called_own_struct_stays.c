// A struct that is handed over by value does not change.
void reach_error(void);
struct pair { int a, b; };
struct operations { struct pair (*swap)(struct pair); };
struct operations *lookup(void);

int main(void) {
    struct operations *found = lookup();
    struct pair p = {1, 2};
    found->swap(p);
    if (p.a != 1 || p.b != 2) reach_error();
    return 0;
}
