#include <dirent.h>
extern void reach_error(void);
int main(void) {
    DIR *folder = opendir(".");
    if (!folder) return 0;
    struct dirent *entry = readdir(folder);
    if (!entry) return 0;
    char first = entry->d_name[0];
    readdir(folder);
    if (entry->d_name[0] != first) reach_error();
    return 0;
}
