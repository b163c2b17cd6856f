/* A queue in a ring of four places. Whoever wrote `put` forgot to ask whether there is room. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { ROOM = 4 };

struct queue {
    int items[ROOM];
    int first, count;
};

static void put(struct queue *q, int item) {
    q->items[(q->first + q->count) % ROOM] = item;
    q->count++;
}

static int take(struct queue *q) {
    int item = q->items[q->first];
    q->first = (q->first + 1) % ROOM;
    q->count--;
    return item;
}

int main(void) {
    struct queue q = {{0, 0, 0, 0}, 0, 0};
    int next = 1, expected = 1;
    while (next < 8) {
        if (__VERIFIER_nondet_int()) {
            put(&q, next);
            next++;
        } else if (q.count > 0) {
            if (take(&q) != expected)
                reach_error();
            expected++;
        }
    }
    return 0;
}
