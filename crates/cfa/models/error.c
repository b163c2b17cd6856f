void error(int status, int number, const char *format, ...) {
    if (status != 0) exit(status);
}
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    if (status != 0) exit(status);
}
