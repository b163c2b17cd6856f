// Where the order of evaluation can be seen, there is a choice of it.
int g;

int set(void) {
    return g = 1;
}

int main(void) {
    int seen = set() + g;
    int unseen = set() + 2;
    return seen + unseen;
}
