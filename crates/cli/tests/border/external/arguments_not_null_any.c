#include <assert.h>
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        assert(argv[i]);
    return 0;
}
