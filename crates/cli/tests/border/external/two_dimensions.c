extern void reach_error(void);
extern unsigned char grid[][4];
int main(void) {
    if (grid[1][2] == 200) reach_error();
    return 0;
}
