extern void reach_error(void);
#define PORT (*(volatile unsigned char *)0x25)
int main(void) {
    PORT |= 4;
    if (!(PORT & 4)) reach_error();
    return 0;
}
