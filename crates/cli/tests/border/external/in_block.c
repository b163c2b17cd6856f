extern void reach_error(void);
int main(void) {
    extern unsigned counter;
    if (counter == 3) reach_error();
    return 0;
}
