// A division asks for its divisor, but that is no branch of the program.
int main(void) {
    int x, y = 3;
    int z = y / x;
    return z;
}
