#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_key_t key;
    int value;
    if (pthread_key_create(&key, 0) != 0) return 0;
    if (pthread_setspecific(key, &value) != 0) reach_error();
    return 0;
}
