// A matrix as rows on the heap.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 2 || columns < 1 || columns > 2)
        return 0;
    int **m = malloc(rows * sizeof(int *));
    for (int i = 0; i < rows; i++) {
        m[i] = malloc(columns * sizeof(int));
        for (int j = 0; j < columns; j++)
            m[i][j] = i + j;
    }
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += m[i][j];
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
    return sum;
}
