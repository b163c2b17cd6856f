#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    char b[20];
    FILE *f = fopen("a", "r");
    if (!f) return 1;
    fgetc(f);
    fseek(f, 0, SEEK_SET);
    fclose(f);
    time_t t = time(0);
    struct tm *date = localtime(&t);
    if (date) strftime(b, sizeof b, "%Y", date);
    if (getenv("HOME")) system(0);
    perror(0);
    remove("x");
    fgetc(stdin);
    rewind(stdin);
    return 0;
}
