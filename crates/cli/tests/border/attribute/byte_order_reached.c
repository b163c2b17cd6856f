extern void reach_error(void);
struct s { int i; } __attribute__((scalar_storage_order("big-endian")));
int main(void) {
    union { struct s s; int native; } u = {.s = {1}};
    if (u.native == 0x01000000) reach_error();
    return 0;
}
