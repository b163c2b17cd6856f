extern void reach_error(void);
extern int x;
extern double d;
extern char c;
int main(void) {
    if (x == 5 && c == 'k' && d > 2.0) reach_error();
    return 0;
}
