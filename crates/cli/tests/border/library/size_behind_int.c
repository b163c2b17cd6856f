extern void reach_error(void);
extern int stat(const char *, int *);
int main(void) {
    int file[36] = {0};
    stat("x", file);
    if (file[12]) reach_error();
    return 0;
}
