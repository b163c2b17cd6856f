extern void reach_error(void);
struct box { int *p; struct box *next; };
extern void walk(struct box *);
int main(void) {
    int x = 1;
    struct box last = {&x, 0}, first = {0, &last};
    walk(&first);
    if (x == 2) reach_error();
    return 0;
}
