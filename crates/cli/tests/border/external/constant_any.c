extern void reach_error(void);
extern const int limit;
extern const char *const name;
int main(void) {
    if (limit == 100) reach_error();
    return 0;
}
