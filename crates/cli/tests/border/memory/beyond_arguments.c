int main(int argc, char **argv) {
    if (argc == 1)
        return argv[3] != 0;
    return 0;
}
