// A link that was never set is a pointer from outside, as a variable is that was never set: it may lead to memory with any content.
#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next, *other; int value; };
int main(void) {
    struct node *p = malloc(sizeof(struct node));
    if (!p) {
        return 0;
    }
    p->next = p;
    if (p->next->other->value == 7) {
        reach_error();
    }
    return 0;
}
