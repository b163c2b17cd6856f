// A `switch` compares in order; a jump past a declaration leaves its variable without a value.
int choose(int n) {
    switch (n) {
        int passed = 1;
    case 1:
    case 4 ... 6:
        return passed;
    case -2:
        passed = 3;
        break;
    default:
        n = passed;
    }
    return n;
}

int main(void) {
    return choose(4);
}
