// Nobody says that these are bad.
extern void reach_error(void);
extern int *find(int);
struct node { struct node *next; int value; };
extern struct node *list(void);
int main(void) {
    int *p = find(1);
    struct node *n = list();
    *p = 1;
    n->next->next->value = *p;
    if (*p > n->value && *p <= n->value) {
        reach_error();
    }
    return 0;
}
