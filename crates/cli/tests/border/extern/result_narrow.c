extern void reach_error(void);
extern unsigned char byte(void);
extern short word(void);
int main(void) {
    if (byte() > 255 || word() < -32768) reach_error();
    return 0;
}
