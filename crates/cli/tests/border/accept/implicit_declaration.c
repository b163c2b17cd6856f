int main(void) {
    int x = helper(3);
    if (x == 4) reach_error();
    return 0;
}
