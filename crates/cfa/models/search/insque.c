struct item {
    struct item *next, *previous;
};

void insque(struct item *item, struct item *previous) {
    if (previous == (struct item *)0) {
        item->next = item->previous = (struct item *)0;
        return;
    }
    item->next = previous->next;
    item->previous = previous;
    if (previous->next != (struct item *)0) previous->next->previous = item;
    previous->next = item;
}

void remque(struct item *item) {
    if (item->next != (struct item *)0) item->next->previous = item->previous;
    if (item->previous != (struct item *)0) item->previous->next = item->next;
}
