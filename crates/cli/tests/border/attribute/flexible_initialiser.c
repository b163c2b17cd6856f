extern void reach_error(void);
struct s { int n; char tail[]; };
static struct s a = {3, "xyz"}, b = {2, {1, 2}};
int main(void) {
    if (a.tail[2] != 'z' || b.tail[1] != 2 || sizeof a != 4) reach_error();
    return 0;
}
