extern void reach_error(void);
volatile int device = 3;
int main(void) {
    if (device != 3) reach_error();
    return 0;
}
