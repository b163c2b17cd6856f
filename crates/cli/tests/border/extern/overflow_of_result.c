extern int value(void);
int main(void) {
    int x = value() + 1;
    return x > 3;
}
