// The C locale; wint_t is an unsigned int.
static int digit(unsigned c) { return c >= '0' && c <= '9'; }
static int upper(unsigned c) { return c >= 'A' && c <= 'Z'; }
static int lower(unsigned c) { return c >= 'a' && c <= 'z'; }
int iswdigit(unsigned c) { return digit(c); }
int iswupper(unsigned c) { return upper(c); }
int iswlower(unsigned c) { return lower(c); }
int iswalpha(unsigned c) { return upper(c) || lower(c); }
int iswalnum(unsigned c) { return upper(c) || lower(c) || digit(c); }
int iswblank(unsigned c) { return c == ' ' || c == 9; }
int iswcntrl(unsigned c) { return c < 32 || c == 127; }
int iswgraph(unsigned c) { return c > 32 && c < 127; }
int iswspace(unsigned c) { return c == ' ' || (c >= 9 && c <= 13); }
int iswxdigit(unsigned c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int iswprint(unsigned c) { return c >= 32 && c < 127; }
int iswpunct(unsigned c) { return c > 32 && c < 127 && !upper(c) && !lower(c) && !digit(c); }
unsigned towupper(unsigned c) { return lower(c) ? c - 32 : c; }
unsigned towlower(unsigned c) { return upper(c) ? c + 32 : c; }
