// The size of a copy counts on both sides.
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    char from[4] = {1, 2, 3, 4}, to[3];
    memcpy(to, from, 4);
    return 0;
}
