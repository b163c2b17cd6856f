// A tentative definition has the size of the type as it is completed further down; an array without a length has one element.
void reach_error(void);

struct pair d;
int single[];

struct pair {
    int x;
    int y;
};

int main(void) {
    d.x = 4;
    d.y = 5;
    single[0] = 3;
    if (d.x + d.y + single[0] == 12) reach_error();
    return 0;
}
