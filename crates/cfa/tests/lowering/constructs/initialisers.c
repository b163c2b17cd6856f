// Designators, elided braces, strings; what is not mentioned is zero.
struct point {
    int x, y;
    char name[4];
};
struct point global = {.y = 2, .name = "ab"};
int table[] = {[2] = 5, 6, [0] = 1};
const char *text = "hello" + 1;

int main(void) {
    struct point p = {1, .name = {'x'}};
    struct point q[2] = {p, 3, 4};
    int sums[3] = {p.x, p.x + q[1].x};
    char local[] = "hi";
    return sums[2] + local[0] + table[1] + global.y + text[0];
}
