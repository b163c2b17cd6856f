extern void reach_error(void);
extern unsigned input(void);
int main(void) {
    unsigned __int128 sum = 0;
    for (int i = 0; i < 3; i++) sum += input();
    if (sum >> 64) reach_error();
    return 0;
}
