// Indices count elements, differences too; `a[i].m` is an offset.
struct item {
    char kind;
    int value;
} items[4], *end = items + 4;

int main(void) {
    struct item *p = &items[1];
    p++;
    p->value = items[p - items].value + (*end).kind;
    return end - p > 1 && p != 0;
}
