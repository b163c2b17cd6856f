/* A stack machine that dispatches through a table of function pointers. */

extern int printf(const char *format, ...);
extern void reach_error(void);

enum opcode { PUSH, ADD, MUL, SWAP, HALT };

struct instruction {
    enum opcode opcode;
    int operand;
};

struct machine {
    int stack[8];
    int depth;
};

typedef void (*handler)(struct machine *, int);

static int pop(struct machine *m) {
    if (m->depth == 0)
        reach_error();
    return m->stack[--m->depth];
}

static void push(struct machine *m, int value) {
    if (m->depth == sizeof m->stack / sizeof m->stack[0])
        reach_error();
    m->stack[m->depth++] = value;
}

static void add(struct machine *m, int unused) {
    int right = pop(m);
    push(m, pop(m) + right);
}

static void mul(struct machine *m, int unused) {
    int right = pop(m);
    push(m, pop(m) * right);
}

static void swap(struct machine *m, int unused) {
    int top = pop(m), below = pop(m);
    push(m, top);
    push(m, below);
}

static const handler handlers[] = {[PUSH] = push, [ADD] = add, [MUL] = mul, [SWAP] = swap};

int main(void) {
    static const struct instruction program[] = {
        {PUSH, 2}, {PUSH, 3}, {SWAP}, {PUSH, 5}, {ADD}, {MUL}, {HALT},
    };
    struct machine m = {.depth = 0};

    for (const struct instruction *i = program; i->opcode != HALT; i++)
        handlers[i->opcode](&m, i->operand);

    printf("(2 + 5) * 3 = %d\n", pop(&m));
    return m.depth;
}
