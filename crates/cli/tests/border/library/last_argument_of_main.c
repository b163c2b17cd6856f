extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 0 || argv[argc]) reach_error();
    return 0;
}
