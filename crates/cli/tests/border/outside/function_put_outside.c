// So are own functions.
extern void reach_error(void);
struct ops { int (*get)(void); };
extern struct ops *outside(void);
static int five(void) { return 5; }
int main(void) {
    struct ops *o = outside();
    o->get = five;
    if (o->get() == 5) reach_error();
}
