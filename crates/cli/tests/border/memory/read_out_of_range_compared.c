// No byte is 256, but it is read.
int main(void) {
    unsigned char *p = 0;
    if (*p == 256)
        return 1;
    return 0;
}
