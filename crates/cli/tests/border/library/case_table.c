#include <ctype.h>
extern void reach_error(void);
int main(void) {
    if (!isalpha('x') || isalpha('7') || !isspace('\t') || !isxdigit('f') || isdigit(-1)) reach_error();
    if (toupper('m') != 'M' || tolower('7') != '7') reach_error();
    return 0;
}
