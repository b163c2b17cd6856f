extern void reach_error(void);
int main(void) {
    if (!(1e-400L)) reach_error();
    return 0;
}
