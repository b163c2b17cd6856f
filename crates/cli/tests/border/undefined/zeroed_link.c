// Zeroed memory holds null, and no pointer from outside.
#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next; int value; };
int main(void) {
    struct node *p = calloc(1, sizeof(struct node));
    if (!p) {
        return 0;
    }
    if (p->next->value) {
        p->value = 1;
    }
    reach_error();
    return 0;
}
