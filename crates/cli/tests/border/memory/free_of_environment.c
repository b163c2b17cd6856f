#include <stdlib.h>
int main(void) {
    free(getenv("x"));
    return 0;
}
