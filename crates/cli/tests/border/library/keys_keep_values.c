#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_key_t a, b;
    int x, y;
    if (pthread_key_create(&a, 0) || pthread_key_create(&b, 0)) return 0;
    if (pthread_getspecific(a)) reach_error();
    if (pthread_setspecific(a, &x) || pthread_setspecific(b, &y)) return 0;
    if (a == b || pthread_getspecific(a) != &x) reach_error();
    return 0;
}
