extern void reach_error(void);
int main(void) {
    const char *a = "same", *b = "same";
    if (a != b) reach_error();
    return 0;
}
