// A static struct has room for the elements that its initialiser gives to the flexible member, a local one has none.
struct list {
    int length;
    short items[];
};
struct list three = {3, {1, 2, 3}};

int main(void) {
    struct list copy = three;
    return sizeof(struct list) + copy.length + three.items[copy.length];
}
