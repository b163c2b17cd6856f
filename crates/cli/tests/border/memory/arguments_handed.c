#include <string.h>

static int flags(int argc, char **argv) {
    int n = 0;
    for (int i = 1; i < argc; i++)
        n += argv[i][0] == '-';
    return n;
}

static int ends(char **last) {
    return *last == 0;
}

int main(int argc, char **argv) {
    char **at = argv + argc;
    return flags(argc, argv) + ends(at);
}
