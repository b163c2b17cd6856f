// A number is no address of an object.
int main(void) {
    int *p = (int *)16;
    return *p;
}
