// A local struct has no room for its flexible array member.
struct list {
    int length;
    int items[];
};

int main(void) {
    struct list l;
    l.length = 1;
    l.items[0] = 5;
    return l.length;
}
