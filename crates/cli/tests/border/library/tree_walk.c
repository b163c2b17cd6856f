#include <search.h>
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return 0; }
static void visit(const void *node, VISIT which, int depth) { reach_error(); }
int main(void) {
    void *root = 0;
    static int key = 1;
    tsearch(&key, &root, compare);
    twalk(root, visit);
    return 0;
}
