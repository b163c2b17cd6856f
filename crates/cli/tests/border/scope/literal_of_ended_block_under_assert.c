// A compound literal ends with the block around it; what takes its place is another object.
void reach_error(void);

int main(void) {
    int *p;
    {
        p = (int[]){1, 2};
        if (p[0] != 1) reach_error();
    }
    if (p[1] == 2) reach_error();
    return 0;
}
