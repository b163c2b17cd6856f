#include <pthread.h>
extern void reach_error(void);
static void *work(void *p) { reach_error(); return p; }
__attribute__((constructor)) static void begin(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
}
int main(void) { return 0; }
