#include <semaphore.h>
extern void reach_error(void);
static sem_t s;
static int fail(void) {
    reach_error();
    return 0;
}
int main(void) {
    sem_init(&s, 0, 0);
    return sem_wait(&s) + fail();
}
