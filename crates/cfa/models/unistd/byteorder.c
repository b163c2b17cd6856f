static unsigned word(unsigned x) { return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24; }

unsigned htonl(unsigned x) { return word(x); }
unsigned ntohl(unsigned x) { return word(x); }
unsigned short htons(unsigned short x) { return x >> 8 | x << 8; }
unsigned short ntohs(unsigned short x) { return x >> 8 | x << 8; }
