#include <string.h>
extern void reach_error(void);
struct device {
    int number;
    int *registers;
};
static struct device first = {1, (int *)0x40001000};
int main(void) {
    struct device device;
    struct device *p = &device;
    memcpy(p, &first, sizeof device);
    *p->registers = 3;
    if (*p->registers == 3) reach_error();
    return 0;
}
