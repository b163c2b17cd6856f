// A list with insertion, search and removal.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
    int key;
    struct node *next;
};

static struct node *find(struct node *list, int key) {
    while (list && list->key != key)
        list = list->next;
    return list;
}

int main(void) {
    struct node *list = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 3; i++) {
        struct node *new = malloc(sizeof(struct node));
        new->key = i;
        new->next = list;
        list = new;
    }
    struct node *found = find(list, __VERIFIER_nondet_int());
    if (found) // null check
        found->key = 7;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
