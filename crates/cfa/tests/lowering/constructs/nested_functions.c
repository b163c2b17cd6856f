// A nested function gets the frame of the one around it.
int main(void) {
    int total = 1;
    int add(int x) {
        total += x;
        return total;
    }
    return add(2) + add(3);
}
