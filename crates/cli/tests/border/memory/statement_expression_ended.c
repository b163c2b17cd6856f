int main(void) {
    int *p = ({
        int x = 4;
        &x;
    });
    return *p;
}
