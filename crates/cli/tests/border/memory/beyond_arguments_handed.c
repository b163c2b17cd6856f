static int third(char **argv) {
    if (argv[3])
        return 1;
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 1)
        return 0;
    return third(argv);
}
