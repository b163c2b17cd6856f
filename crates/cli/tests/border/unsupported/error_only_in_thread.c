#include <pthread.h>
extern void reach_error(void);
static void *work(void *p) { reach_error(); return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return pthread_join(t, 0);
}
