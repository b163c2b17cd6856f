#include <locale.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *name = setlocale(LC_ALL, "C.UTF-8");
    if (name && strcmp(name, "C") != 0) reach_error();
    return 0;
}
