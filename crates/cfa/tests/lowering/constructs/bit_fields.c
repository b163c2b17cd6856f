// Bit-fields are parts of the integer that holds them; the value of an assignment is what the field then holds.
struct flags {
    unsigned low : 3;
    int sign : 2;
    unsigned long wide : 40;
} s;

int main(void) {
    int x = (s.low = 12);
    s.sign++;
    s.wide += x;
    return s.sign + sizeof(s.wide = 1);
}
