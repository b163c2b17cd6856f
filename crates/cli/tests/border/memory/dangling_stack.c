// A local object ends with its function.
static int *give(void) {
    int x = 1, *p = &x;
    return p;
}

int main(void) {
    int *p = give();
    return *p;
}
