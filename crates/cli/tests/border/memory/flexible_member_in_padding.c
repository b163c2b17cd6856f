// The flexible member begins in the padding of the struct, which is there.
struct tagged {
    int value;
    char tag;
    char text[];
};

int main(void) {
    struct tagged t;
    t.value = 1;
    t.tag = 'a';
    t.text[0] = 'b';
    t.text[2] = 'c';
    return t.text[0] - 'b';
}
