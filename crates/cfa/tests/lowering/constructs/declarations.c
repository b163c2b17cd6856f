// Objects with linkage, static and local ones; what is constant is folded, what is not used is left out.
enum colour { RED, GREEN = 5, BLUE };
typedef unsigned char byte;
extern int elsewhere;
static int counter = RED + GREEN;
int tentative;
int tentative;
const byte limits[3] = {1, BLUE};
int unused;
int *where = &tentative;

int next(void) {
    static int calls = 10;
    return calls++ + counter;
}

int main(void) {
    register int a = 1;
    byte b = 300;
    int c;
    extern int elsewhere;
    *where = a;
    counter += b;
    return next() + limits[c & 1] + tentative + elsewhere;
}
