extern void reach_error(void);
int main(void) {
    void (*q)(void) = reach_error;
    q();
    return 0;
}
