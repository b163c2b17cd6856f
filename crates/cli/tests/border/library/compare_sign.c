#include <string.h>
extern void reach_error(void);
int main(void) {
    int order = strcmp("b", "a");
    int other = memcmp("a", "c", 1);
    int same = strncmp("abc", "abd", 2);
    if (order <= 0 || other >= 0 || same) reach_error();
    if (!strcmp("a", "b") || strcmp("a", "b") >= 0 || 0 > strcmp("b", "a") || strcmp("a", "a")) reach_error();
    return 0;
}
