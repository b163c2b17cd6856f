#define _GNU_SOURCE
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int main(void) {
    pthread_mutex_lock(&mutex);
    if (pthread_mutex_lock(&mutex) != 0) reach_error();
    return 0;
}
