// Loops with `break` and `continue`; their conditions are edges.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        sum += i;
    }
    while (sum > 5)
        sum -= 2;
    do
        sum++;
    while (sum < 4);
    return sum;
}
