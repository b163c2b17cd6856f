// A function outside changes nothing that it does not reach.
void reach_error(void);
struct operations { void (*put)(int *); };
struct operations *lookup(void);
static int kept;

int main(void) {
    struct operations *found = lookup();
    int x = 1, y = 2;
    found->put(&x);
    if (kept || y != 2) reach_error();
    return 0;
}
