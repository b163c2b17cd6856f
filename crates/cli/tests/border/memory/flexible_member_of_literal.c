// A compound literal is as large as its type, too.
struct list {
    int length;
    int items[];
};

int main(void) {
    struct list *l = &(struct list){3};
    return l->items[l->length - 3];
}
