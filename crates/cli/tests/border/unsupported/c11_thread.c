#include <threads.h>
extern void reach_error(void);
static int work(void *p) { reach_error(); return 0; }
int main(void) {
    thrd_t t;
    thrd_create(&t, work, 0);
    thrd_join(t, 0);
    return 0;
}
