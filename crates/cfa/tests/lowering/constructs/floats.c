// Floats have operators of their own, and constants by their bits.
float scale = 0.5f;

int main(void) {
    double d = 1.5;
    float f = d * scale - 3;
    if (f < d && -f != f) return 1;
    return d / 3.0 >= 0.5;
}
