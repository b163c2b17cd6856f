// A float whose whole part the integer type has not gives any value.
int main(void) {
    double d;
    int i = d;
    unsigned char c = d;
    return i + c;
}
