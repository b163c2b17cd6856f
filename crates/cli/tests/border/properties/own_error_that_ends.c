#include <stdlib.h>
void reach_error(void) { exit(1); }
int main(void) {
    reach_error();
ERROR:
    return 0;
}
