#include <stdatomic.h>
extern void reach_error(void);
static atomic_flag lock = ATOMIC_FLAG_INIT;
int main(void) {
    if (atomic_flag_test_and_set(&lock)) reach_error();
    if (!atomic_flag_test_and_set(&lock)) reach_error();
    atomic_flag_clear(&lock);
    if (atomic_flag_test_and_set(&lock)) reach_error();
    return 0;
}
