#include <dirent.h>
#include <string.h>
int main(void) {
    DIR *folder = opendir(".");
    if (!folder) return 0;
    struct dirent *entry = readdir(folder);
    if (entry) return strlen(entry->d_name) > 3;
    return 0;
}
