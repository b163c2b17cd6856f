// The neighbour of a bit-field was never set.
struct flags {
    unsigned a : 1;
    unsigned b : 3;
};

static void set(struct flags *f) {
    f->b = 5;
}

int main(void) {
    struct flags f;
    set(&f);
    if (f.a) {
        return 1;
    }
    return 0;
}
