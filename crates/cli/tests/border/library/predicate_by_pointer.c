extern void reach_error(void);
extern int isdigit(int);
int main(void) {
    int (*is)(int) = isdigit;
    int found = is('7');
    if (found == 2048) reach_error();
    return 0;
}
