#include <pthread.h>
extern void reach_error(void);
int main(void) {
    if (!pthread_equal(pthread_self(), pthread_self())) reach_error();
    return 0;
}
