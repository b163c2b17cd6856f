// Sixteen bytes at once.
extern void reach_error(void);
extern unsigned __int128 *outside(void);
int main(void) {
    unsigned __int128 *p = outside();
    if (*p == ((unsigned __int128)1 << 100)) reach_error();
}
