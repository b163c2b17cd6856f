// Used inside of its block only, and one of the function's own block to the end.
struct pair {
    int a, b;
};
int main(void) {
    struct pair *outer = &(struct pair){1, 2};
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct pair *p = &(struct pair){i, 2};
        if (i > 0)
            p = outer;
        sum += p->a + (int[]){i, 1}[1];
    }
    return sum + outer->b;
}
