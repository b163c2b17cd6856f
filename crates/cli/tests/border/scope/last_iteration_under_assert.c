// The variable of the last iteration is gone, whatever its successor holds.
void reach_error(void);

int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int y = i;
        if (p) {
            int old = *p;
            if (old != 7) reach_error();
        }
        p = &y;
    }
    return 0;
}
