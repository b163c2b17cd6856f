extern void reach_error(void);
struct node { int value; struct node *next; };
extern struct node *list;
static struct node mine = {1, 0};
extern void add(struct node *);
int main(void) {
    add(&mine);
    list->value = 5;
    if (mine.value == 5) reach_error();
    return 0;
}
