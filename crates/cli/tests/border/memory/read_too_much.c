#include <unistd.h>
int main(void) {
    char b[4];
    read(0, b, 6);
    return 0;
}
