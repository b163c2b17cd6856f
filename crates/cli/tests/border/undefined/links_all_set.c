// What is written before anybody reads it is no pointer from outside.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3 && __VERIFIER_nondet_int(); i++) {
        struct node *p = malloc(sizeof(struct node));
        if (!p) {
            abort();
        }
        p->next = head;
        p->value = 1;
        head = p;
    }
    for (; head; head = head->next) {
        if (head->value != 1) {
            reach_error();
        }
    }
    return 0;
}
