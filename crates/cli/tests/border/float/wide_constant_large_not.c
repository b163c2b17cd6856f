extern void reach_error(void);
int main(void) {
    if (!(1e400L > 1e350L)) reach_error();
    return 0;
}
