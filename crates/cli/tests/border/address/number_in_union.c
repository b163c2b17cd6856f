#include <stdint.h>
extern void reach_error(void);
union address {
    uintptr_t number;
    int *pointer;
};
int main(void) {
    union address address, *p = &address;
    p->number = 0x40001000;
    *p->pointer = 1;
    reach_error();
    return 0;
}
