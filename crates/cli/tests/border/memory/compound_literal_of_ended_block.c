// A compound literal lives as long as the block that it stands in.
struct pair {
    int a, b;
};
int main(void) {
    struct pair *p;
    {
        p = &(struct pair){1, 2};
        p->a = 2;
    }
    return p->a;
}
