#include <pthread.h>
extern void reach_error(void);
static int flag;
static void *work(void *p) { flag = 1; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    if (flag) reach_error();
    return 0;
}
