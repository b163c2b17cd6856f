extern void reach_error(void);
extern int iswalpha(unsigned);
int main(void) {
    if (iswalpha('a') < 0) reach_error();
    return 0;
}
