// The copy leaves the array, inside of a library function.
#include <assert.h>
#include <string.h>
int main(void) {
    char b[4];
    strcpy(b, "bl");
    strcat(b, "u!");
    assert(strcmp(b, "blue") == 0);
    return 0;
}
