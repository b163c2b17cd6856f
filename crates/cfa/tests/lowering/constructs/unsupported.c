// What is not modelled is an edge that says so.
int main(void) {
    int n = 2;
    asm goto("jmp %l0" : : : : out);
    n = 3;
out:
    return n;
}
