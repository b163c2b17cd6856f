extern void reach_error(void);
struct ops { int (*get)(void); };
extern struct ops ops;
int main(void) {
    if (ops.get() == 3) reach_error();
    return 0;
}
