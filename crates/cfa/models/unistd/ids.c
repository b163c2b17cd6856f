// They stay the same until the program changes them.
static unsigned ids[4];
static int is_known;

static unsigned id(int which) {
    if (!is_known) {
        for (int i = 0; i < 4; i++) ids[i] = __robusto_any_uint();
        is_known = 1;
    }
    return ids[which];
}

unsigned getuid(void) { return id(0); }
unsigned geteuid(void) { return id(1); }
unsigned getgid(void) { return id(2); }
unsigned getegid(void) { return id(3); }

static int change(void) {
    is_known = 0;
    return __robusto_any_int() < 0 ? -1 : 0;
}

int setuid(unsigned id) { return change(); }
int seteuid(unsigned id) { return change(); }
int setgid(unsigned id) { return change(); }
int setegid(unsigned id) { return change(); }
int setreuid(unsigned real, unsigned effective) { return change(); }
int setregid(unsigned real, unsigned effective) { return change(); }
int setresuid(unsigned real, unsigned effective, unsigned saved) { return change(); }
int setresgid(unsigned real, unsigned effective, unsigned saved) { return change(); }
