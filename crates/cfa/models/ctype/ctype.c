// The C locale.
static int digit(int c) { return c >= '0' && c <= '9'; }
static int upper(int c) { return c >= 'A' && c <= 'Z'; }
static int lower(int c) { return c >= 'a' && c <= 'z'; }
int isdigit(int c) { return digit(c); }
int isupper(int c) { return upper(c); }
int islower(int c) { return lower(c); }
int isalpha(int c) { return upper(c) || lower(c); }
int isalnum(int c) { return upper(c) || lower(c) || digit(c); }
int isblank(int c) { return c == ' ' || c == 9; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int isxdigit(int c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= 32 && c < 127; }
int ispunct(int c) { return c > 32 && c < 127 && !upper(c) && !lower(c) && !digit(c); }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }
int toupper(int c) { return lower(c) ? c - 32 : c; }
int tolower(int c) { return upper(c) ? c + 32 : c; }
int _toupper(int c) { return c - 32; }
int _tolower(int c) { return c + 32; }
