// The initialiser is passed, so `y` holds nothing.
int main(void) {
    goto inside;
    {
        int y = 4;
    inside:
        if (y) return 1;
    }
    return 0;
}
