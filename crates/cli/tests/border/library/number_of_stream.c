#include <assert.h>
#include <stdio.h>
int main(void) {
    FILE *f = fopen("a", "r");
    if (f)
        assert(fileno(f) >= 0);
    return 0;
}
