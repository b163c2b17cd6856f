#include <stdlib.h>
extern void reach_error(void);
static int bad(void) { reach_error(); return 1; }
static int quit(void) { exit(0); return 2; }
int main(void) { return quit() + bad(); }
