// The value of an assignment to a bit-field, of `++` and of a comma has the declared type, until an operator promotes it.
void reach_error(void);

struct {
    unsigned char c : 3;
    short h : 16;
    unsigned long d : 40;
    long b : 3;
} s;

int main(void) {
    if (sizeof(s.c = 1) != 1 || sizeof(s.c++) != 1 || sizeof(--s.c) != 1 || sizeof((0, s.c)) != 1) reach_error();
    if (sizeof(s.h = 1) != 2 || sizeof(s.h += 1) != 2 || sizeof(s.d = 1) != 8) reach_error();
    if (sizeof(+s.h) != 4 || sizeof((s.c = 1) + 1) != 4) reach_error();
    if ((s.b = -1) < 0u) reach_error();
    return 0;
}
