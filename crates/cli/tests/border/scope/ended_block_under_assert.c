// The read behind the block is invalid, so no execution comes to the call within the rules of C.
void reach_error(void);

int x;

int main(void) {
    int *p;
    {
        int y = 2;
        p = &y;
    }
    x = *p;
    reach_error();
    return 0;
}
