// A struct is read as a whole, though nothing is done with it.
struct s { int a, b; } *g;
int main(void) {
    *g;
    return 0;
}
