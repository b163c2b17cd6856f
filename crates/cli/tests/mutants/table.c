// A table of names with a lookup that may fail.
extern int __VERIFIER_nondet_int(void);
struct entry {
    int key;
    const char *name;
};
static const struct entry table[3] = {{1, "one"}, {2, "two"}, {3, "three"}};

static const struct entry *lookup(int key) {
    for (int i = 0; i < 3; i++)
        if (table[i].key == key)
            return &table[i];
    return 0;
}

int main(void) {
    int length = 0;
    const struct entry *e = lookup(__VERIFIER_nondet_int());
    if (!e) // null check
        return 0;
    while (e->name[length])
        length++;
    char copy[6];
    for (int i = 0; i <= length; i++)
        copy[i] = e->name[i];
    return copy[0];
}
