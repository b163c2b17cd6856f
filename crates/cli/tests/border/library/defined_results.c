#include <math.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    if (!isnan(nan(""))) reach_error();
    if (lround(-2.5) != -3 || lrint(2.5) != 2 || llround(7.25) != 7) reach_error();
    if (strspn("aabc", "ab") != 3 || strcspn("xyz,", ",;") != 3) reach_error();
    if (isnormal(0.0) || !isnormal(1.5) || isnormal(INFINITY)) reach_error();
    return 0;
}
