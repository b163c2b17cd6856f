#define _GNU_SOURCE
#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_barrier_t barrier;
    if (pthread_barrier_init(&barrier, 0, 0) != 0) reach_error();
    return 0;
}
