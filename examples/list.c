/* A sorted singly linked list: insertion through a pointer to a pointer, then a walk that checks the order. */

extern int printf(const char *format, ...);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static void insert(struct node **link, int value) {
    while (*link && (*link)->value < value)
        link = &(*link)->next;

    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
        abort();
    fresh->value = value;
    fresh->next = *link;
    *link = fresh;
}

int main(void) {
    static const int values[] = {31, 4, 15, 92, 6, 53, 58, 9};
    struct node *head = 0;

    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        insert(&head, values[i]);

    int last = head->value;
    while (head) {
        struct node *next = head->next;
        if (head->value < last)
            reach_error();
        last = head->value;
        printf("%d%s", last, next ? " " : "\n");
        free(head);
        head = next;
    }
    return 0;
}
