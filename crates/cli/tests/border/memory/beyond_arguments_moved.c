int main(int argc, char **argv) {
    argv++;
    return argv[argc] == 0;
}
