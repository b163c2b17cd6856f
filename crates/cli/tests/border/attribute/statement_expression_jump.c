extern void reach_error(void);
int main(void) {
    int n = 0;
    for (int i = 0; i < 5; i++) n += ({ if (i == 3) break; i; });
    if (n == 3) reach_error();
    return 0;
}
