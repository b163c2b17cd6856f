#include <dirent.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    DIR *folder = opendir(".");
    if (!folder) return 0;
    struct dirent *entry = readdir(folder);
    if (entry && strlen(entry->d_name) > 255) reach_error();
    closedir(folder);
    return 0;
}
