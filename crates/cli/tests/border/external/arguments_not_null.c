#include <assert.h>
static int count(char **v) {
    int n = 0;
    while (v[n])
        n++;
    return n;
}
int main(int argc, char **argv) {
    if (argc > 0)
        assert(argv[0] != 0);
    if (argc < 5)
        assert(count(argv) == argc);
    return 0;
}
