// A binary tree of small depth.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key) {
    if (!t) { // null check
        struct tree *new = malloc(sizeof(struct tree));
        new->key = key;
        new->left = new->right = 0;
        return new;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

static void drop(struct tree *t) {
    if (t) { // null check
        drop(t->left);
        drop(t->right);
        free(t);
    }
}

int main(void) {
    struct tree *t = 0;
    for (int i = 0; i < 3; i++)
        t = insert(t, __VERIFIER_nondet_int());
    drop(t);
    return 0;
}
