extern void reach_error(void);
#pragma pack(push, 1)
struct a { char c; int i; };
#pragma pack(pop)
struct b { char c; int i; };
_Pragma("pack(2)") struct d { char c; int i; double x; };
_Pragma("pack()") struct e { char c; double x; };
int main(void) {
    if (sizeof(struct a) != 5 || sizeof(struct b) != 8 || sizeof(struct d) != 14 || sizeof(struct e) != 16) reach_error();
    return 0;
}
