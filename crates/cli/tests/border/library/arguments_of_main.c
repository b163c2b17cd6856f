extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc == 3 && argv[2][0] == 'x') reach_error();
    return 0;
}
