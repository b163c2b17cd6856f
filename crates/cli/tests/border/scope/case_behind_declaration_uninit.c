// What the first iteration has written is gone when the switch is entered again.
int main(void) {
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int y;
        case 0:
            y = 5;
            break;
        case 1:
            if (y) return 1;
        }
    }
    return 0;
}
