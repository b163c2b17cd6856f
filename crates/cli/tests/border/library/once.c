#include <pthread.h>
extern void reach_error(void);
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int n;
static void init(void) { n++; }
int main(void) {
    pthread_once(&control, init);
    pthread_once(&control, init);
    if (n == 1) reach_error();
    return 0;
}
