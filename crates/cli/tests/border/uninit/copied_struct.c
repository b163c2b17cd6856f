// A copy of bytes carries what was never set.
#include <string.h>

struct pair {
    int a, b;
};

int main(void) {
    struct pair p, q = {0, 0};
    p.a = 1;
    memcpy(&q, &p, sizeof p);
    if (q.a != 1) {
        return 2;
    }
    return q.b ? 1 : 0;
}
