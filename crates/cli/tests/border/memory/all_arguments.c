int main(int argc, char **argv) {
    int n = 0;
    for (int i = 0; i <= argc; i++)
        n += argv[i] == 0;
    argc = 5;
    return n + (argv[0] == 0);
}
