#include <dirent.h>
extern void reach_error(void);
int main(void) {
    DIR *folder = opendir(".");
    if (!folder) return 0;
    struct dirent *a = readdir(folder), *b = readdir(folder);
    if (a && b && a->d_name[0] != b->d_name[0]) reach_error();
    return 0;
}
