extern void reach_error(void);
int main(void) {
    _Complex double z = 1.0 + 2.0i;
    z = z * z;
    if (__real__ z == -3.0) reach_error();
    return 0;
}
