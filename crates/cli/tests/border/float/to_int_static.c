extern void reach_error(void);
// Initialisers of static objects are the nearest number of the type, as gcc computes them.
static int i = 1e10;
static unsigned char c = 300.0;
enum { E = (int)2.7 };
int main(void) {
    if (!(i == 2147483647 && c == 255 && E == 2)) reach_error();
    return 0;
}
