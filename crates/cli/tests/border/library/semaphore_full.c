#include <semaphore.h>
extern void reach_error(void);
int main(void) {
    sem_t semaphore;
    if (sem_init(&semaphore, 0, 0x7fffffff) == 0 && sem_post(&semaphore) == -1) reach_error();
    return 0;
}
