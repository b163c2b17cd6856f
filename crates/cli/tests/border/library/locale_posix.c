#include <locale.h>
extern void reach_error(void);
int main(void) {
    if (!setlocale(LC_ALL, "POSIX") || !setlocale(LC_ALL, NULL)) reach_error();
    return 0;
}
