// What is known of a pointer is gone when it is set anew, and what is known of an object when it is freed by a callee.
#include <stdlib.h>

static void end(int *p) {
    free(p);
}

int main(void) {
    int *p = malloc(4 * sizeof(int)), *q = p;
    q[3] = 1;
    p = malloc(sizeof(int));
    p[0] = 2;
    end(q);
    q[0] = p[0];
    return 0;
}
