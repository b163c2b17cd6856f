extern void reach_error(void);
int main(void) {
    int i = 1, a[4];
    (void)(int(*)[i++])a;
    (int(*)[i++])a;
    if (i != 3) reach_error();
    return 0;
}
