struct s { int a; struct { int b, c; } in; } *g;
int main(void) {
    g->in;
    return 0;
}
