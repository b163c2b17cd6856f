extern void reach_error(void);
extern void (*hook)(void);
int main(void) {
    hook();
    reach_error();
    return 0;
}
