// A variable of a block has no value in each iteration.
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1 && x == 0) {
            return 1;
        }
        x = 0;
    }
    return 0;
}
