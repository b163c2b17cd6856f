extern void reach_error(void);
int main(void) {
    int i = 0;
    (void)_Alignof(int[i++ + 1]);
    (void)sizeof(i++);
    if (i) reach_error();
    return 0;
}
