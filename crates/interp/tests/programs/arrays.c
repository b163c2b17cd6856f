// Arrays of several dimensions, decay, arrays of arrays as parameters, initialisers, string arrays.
int printf(const char *, ...);

int g[2][3][4] = {{{1, 2, 3, 4}, {5, 6}, {7}}, {{8}, {9, 10}, {11, 12, 13}}};
static const char *names[] = {"zero", "one", "two", [5] = "five"};
char text[] = "hello", cut[3] = "abc", wide[10] = "xy";
int flat[][2] = {1, 2, 3, 4, 5};

static int trace(int m[3][3]) { return m[0][0] + m[1][1] + m[2][2]; }
static int third(const int *p) { return p[2]; }
static int count(int (*rows)[4], int n) { int s = 0; for (int i = 0; i < n; i++) s += rows[i][1]; return s; }

int main(void) {
    int s = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) s = s * 3 + g[i][j][k];
    printf("%d\n", s);
    printf("%d %d %d\n", (int)sizeof g, (int)sizeof g[0], (int)sizeof g[0][0]);
    printf("%d\n", (int)(sizeof names / sizeof *names));
    printf("%s %s %d\n", names[2], names[5], names[4] == 0);
    printf("%d %d %d %c%c%c %d\n", (int)sizeof text, (int)sizeof cut, (int)sizeof wide, cut[0], cut[1], cut[2], wide[2]);
    printf("%d %d %d\n", (int)(sizeof flat / sizeof *flat), flat[2][0], flat[2][1]);
    int m[3][3] = {{1}, {0, 2}, {0, 0, 3}};
    printf("%d %d\n", trace(m), third(m[2]));
    printf("%d\n", count(g[1], 3));
    int *p = &g[0][0][0];
    printf("%d %d\n", p[4], *(*(*(g + 1) + 2) + 1));
    int (*q)[3][4] = g;
    q++;
    printf("%d %d\n", (*q)[1][1], 1[0[q]][0]);
    printf("%c %c %c\n", "literal"[3], 2["abc"], *("xyz" + 1));
    text[0] = 'j';
    char *end = text + sizeof text - 2;
    *end-- = 'y';
    printf("%s %d\n", text, (int)(end - text));
    int diag[4][4] = {[0][0] = 1, [1] = {0, 1}, [2][2] = 1, [3] = {[3] = 1}};
    int t = 0;
    for (int i = 0; i < 16; i++) t = t * 2 + (&diag[0][0])[i];
    printf("%d\n", t);
    int row[5] = {[2] = 7, 8, [0] = 5};
    printf("%d %d %d %d %d\n", row[0], row[1], row[2], row[3], row[4]);
    int range[8] = {[1 ... 3] = 4, [6] = 9};
    for (int i = 0; i < 8; i++) printf("%d", range[i]);
    printf("\n");
    return 0;
}
