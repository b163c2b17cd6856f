// A copy of a text in capitals.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static char *capitals(const char *text) {
    unsigned long n = strlen(text);
    char *copy = malloc(n + 1);
    for (unsigned long i = 0; i < n; i++)
        copy[i] = text[i] >= 'a' ? text[i] - 32 : text[i];
    copy[n] = 0;
    return copy;
}

int main(void) {
    char word[6] = "x";
    int n = __VERIFIER_nondet_int();
    for (int i = 1; i < n && i < 5; i++)
        word[i] = 'a' + i;
    char *copy = capitals(word);
    int r = strlen(copy);
    memcpy(word, copy, r + 1);
    free(copy);
    return r;
}
