// The neighbours of a bit-field are not its value.
struct flags {
    unsigned a : 1;
    unsigned b : 3;
};

static void set(struct flags *f) {
    f->b = 5;
}

int main(void) {
    struct flags f, g;
    set(&f);
    g.a = 1;
    if (f.b == 5 && g.a) {
        return 0;
    }
    return 1;
}
