extern void reach_error(void);
static volatile unsigned char status;
int main(void) {
    if (status != status) reach_error();
    return 0;
}
