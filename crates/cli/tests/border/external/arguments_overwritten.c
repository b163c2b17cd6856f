#include <assert.h>
int main(int argc, char **argv) {
    char **p = argv + 9;
    if (argc > 10) {
        *p = 0;
        assert(argv[9]);
    }
    return 0;
}
