#include <fcntl.h>
#include <semaphore.h>
extern void reach_error(void);
int main(void) {
    sem_t *semaphore = sem_open("/name", O_CREAT, 0600, 0);
    if (semaphore == SEM_FAILED) return 0;
    int before, after;
    sem_getvalue(semaphore, &before);
    sem_getvalue(semaphore, &after);
    if (before != after) reach_error();
    return 0;
}
