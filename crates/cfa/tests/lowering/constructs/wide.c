// Integers of 128 bits.
__int128 wide = (__int128)1 << 100;

int main(void) {
    unsigned long high = wide >> 64;
    wide *= high;
    return wide > 5;
}
