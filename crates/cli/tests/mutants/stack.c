// A stack in an array.
extern int __VERIFIER_nondet_int(void);
static int items[4], top;

static void push(int x) {
    if (top < 4)
        items[top++] = x;
}

static int pop(void) {
    if (top > 0)
        return items[--top];
    return -1;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > 2)
            push(x);
        else
            pop();
    }
    return 0;
}
