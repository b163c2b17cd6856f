// No bit of the variable is left.
int main(void) {
    unsigned x;
    return (x & 0) ? 1 : 0;
}
