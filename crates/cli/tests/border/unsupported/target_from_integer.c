#include <stdint.h>
extern void reach_error(void);
int main(void) {
    uintptr_t where = (uintptr_t)reach_error;
    where = (where ^ 0x55) ^ 0x55;
    ((void (*)(void))where)();
    return 0;
}
