#include <semaphore.h>
extern void reach_error(void);
int main(void) {
    sem_t semaphore;
    if (sem_init(&semaphore, 0, 0x80000000u) == -1) reach_error();
    return 0;
}
