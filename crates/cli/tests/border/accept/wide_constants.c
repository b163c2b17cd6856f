// Constants of 128 bits: comparisons, division, and what is left of them in narrower types.
void reach_error(void);

_Static_assert(((__int128)1 << 100) > ((__int128)1 << 99), "order");
_Static_assert(-((__int128)1 << 100) < 0, "sign");

int narrow = (__int128)1 << 100 >> 99;
__int128 product = (__int128)10 * 10000000000000000000u / 7 % 1000;
unsigned __int128 ones = ~(unsigned __int128)0;
int above = ((__int128)1 << 100) > 5 && ((__int128)1 << 100) != 0;

int main(void) {
    if (narrow != 2 || product != 714 || (unsigned long)(ones >> 64) != ~0ul || above != 1) reach_error();
    return 0;
}
