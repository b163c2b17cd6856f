// The bytes of a union beside the member that is initialised are unspecified; gcc 15 leaves there what was there.
void reach_error(void);

int main(void) {
    union {
        int i;
        char c;
    } u = {.c = 1};
    if (u.i != 1) reach_error();
    return 0;
}
