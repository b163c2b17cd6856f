// An invalid free counts as an invalid access does.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(1);
    free(p);
    free(p);
    reach_error();
    return 0;
}
