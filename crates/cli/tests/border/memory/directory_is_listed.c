#include <dirent.h>
#include <stdio.h>
int main(void) {
    DIR *folder = opendir(".");
    if (!folder) return 1;
    struct dirent *entry;
    while ((entry = readdir(folder))) puts(entry->d_name);
    closedir(folder);
    return 0;
}
