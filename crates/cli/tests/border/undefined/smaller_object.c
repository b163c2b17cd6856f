// Every execution writes beyond the object that it got.
#include <stdlib.h>
extern void reach_error(void);
struct one { int a; };
struct two { int a, b; };
int main(void) {
    struct one *p = malloc(sizeof(struct one));
    if (!p) {
        return 0;
    }
    struct two *q = (struct two *)p;
    q->b = 0;
    reach_error();
    return 0;
}
