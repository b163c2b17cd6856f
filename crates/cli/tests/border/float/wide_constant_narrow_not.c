extern void reach_error(void);
int main(void) {
    if ((float)(1.0L + 0x1p-24L + 0x1p-60L) == 1.0f) reach_error();
    return 0;
}
