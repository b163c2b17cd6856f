#include <semaphore.h>
extern void reach_error(void);
int main(void) {
    sem_t semaphore;
    int value;
    if (sem_init(&semaphore, 0, 1) != 0) return 1;
    if (sem_post(&semaphore) != 0) reach_error();
    sem_wait(&semaphore);
    sem_getvalue(&semaphore, &value);
    if (value != 1) reach_error();
    return 0;
}
