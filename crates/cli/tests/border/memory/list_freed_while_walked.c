// A node is read after it was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        free(list);
        list = list->next;
    }
    return 0;
}
