#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc > 1)
        free(argv);
    return 0;
}
