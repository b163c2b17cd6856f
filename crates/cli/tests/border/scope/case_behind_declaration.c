// The second iteration enters the body of the switch anew, so `y` has no value.
void reach_error(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int y;
        case 0:
            y = 5;
            break;
        case 1:
            if (y != 5) reach_error();
        }
    }
    return 0;
}
