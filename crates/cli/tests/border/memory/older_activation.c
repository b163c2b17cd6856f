// The objects of older activations live on.
static int last(int n, int *first) {
    int own = n;
    if (!first)
        first = &own;
    if (n > 0)
        return last(n - 1, first);
    return *first;
}

int main(void) {
    return last(2, 0) - 2;
}
