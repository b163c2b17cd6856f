// The initialiser of a static struct gives its flexible member three elements.
static struct list {
    int length;
    int items[];
} l = {3, {1, 2, 3}};

int main(void) {
    int sum = 0;
    for (int i = 0; i <= l.length; i++) sum += l.items[i];
    return sum;
}
