extern void reach_error(void);
int main(void) {
    if (1e-400L == 0) reach_error();
    return 0;
}
