#include <libintl.h>
extern void reach_error(void);
int main(void) {
    if (gettext("a")[0] != 'a') reach_error();
    return 0;
}
