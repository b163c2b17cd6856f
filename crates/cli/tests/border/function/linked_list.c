// Lists are as long as the depth says, which is listed as an assumption; they may be cyclic.
extern void reach_error(void);
struct node {
    int v;
    struct node *next;
};
void two(struct node *n) {
    if (n && n->next && n->v == 1 && n->next->v == 2)
        reach_error();
}
void three(struct node *n) {
    if (n && n->next && n->next != n && n->next->next && n->next->next != n && n->next->next != n->next)
        reach_error();
}
void cycle(struct node *a, struct node *b) {
    if (a && b && a->next == b && b->next && b->v == 4 && a->v == 5)
        reach_error();
}
int main(void) { return 0; }
