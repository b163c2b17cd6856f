extern void reach_error(void);
extern volatile int port;
int main(void) {
    if (port == 4) reach_error();
    return 0;
}
