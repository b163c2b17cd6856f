/* A server's side of a handshake: 30 states, a few flags, and an event loop that never ends by itself. Whatever the client
 * does, data must flow only behind a completed key exchange, and a full handshake must have checked the client's
 * certificate if one was asked for. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state {
    START = 0x1000,
    ACCEPT = 0x1010,
    BEFORE = 0x1020,
    HELLO_REQUEST_A = 0x1110,
    HELLO_REQUEST_B = 0x1111,
    HELLO_REQUEST_C = 0x1112,
    CLIENT_HELLO_A = 0x1120,
    CLIENT_HELLO_B = 0x1121,
    CLIENT_HELLO_C = 0x1122,
    SERVER_HELLO_A = 0x1130,
    SERVER_HELLO_B = 0x1131,
    CERTIFICATE_A = 0x1140,
    CERTIFICATE_B = 0x1141,
    KEY_EXCHANGE_A = 0x1150,
    KEY_EXCHANGE_B = 0x1151,
    CERTIFICATE_REQUEST_A = 0x1160,
    CERTIFICATE_REQUEST_B = 0x1161,
    SERVER_DONE_A = 0x1170,
    SERVER_DONE_B = 0x1171,
    CLIENT_CERTIFICATE_A = 0x1180,
    CLIENT_CERTIFICATE_B = 0x1181,
    CLIENT_KEY_A = 0x1190,
    CLIENT_KEY_B = 0x1191,
    VERIFY_A = 0x11a0,
    VERIFY_B = 0x11a1,
    CHANGE_CIPHER = 0x11b0,
    FINISHED_A = 0x11c0,
    FINISHED_B = 0x11c1,
    FLUSH = 0x1200,
    DATA = 0x1300,
};

int main(void) {
    int state = START, next = START;
    int resumed = 0, ask_certificate = 0, certificate = 0, verified = 0;
    int keys = 0, cipher = 0, finished = 0, renegotiations = 0;

    for (;;) {
        int event = __VERIFIER_nondet_int();

        if (state == START || state == BEFORE) {
            keys = cipher = finished = certificate = verified = 0;
            state = event ? ACCEPT : BEFORE;
        } else if (state == ACCEPT) {
            state = renegotiations > 0 ? HELLO_REQUEST_A : CLIENT_HELLO_A;
        } else if (state == HELLO_REQUEST_A || state == HELLO_REQUEST_B) {
            next = HELLO_REQUEST_C;
            state = FLUSH;
        } else if (state == HELLO_REQUEST_C) {
            state = CLIENT_HELLO_A;
        } else if (state == CLIENT_HELLO_A || state == CLIENT_HELLO_B || state == CLIENT_HELLO_C) {
            if (event < 0)
                state = state == CLIENT_HELLO_A ? CLIENT_HELLO_B : CLIENT_HELLO_C;
            else
                state = SERVER_HELLO_A;
        } else if (state == SERVER_HELLO_A || state == SERVER_HELLO_B) {
            resumed = event == 7;
            if (resumed) {
                keys = 1;
                state = CHANGE_CIPHER;
            } else {
                state = CERTIFICATE_A;
            }
        } else if (state == CERTIFICATE_A || state == CERTIFICATE_B) {
            state = KEY_EXCHANGE_A;
        } else if (state == KEY_EXCHANGE_A || state == KEY_EXCHANGE_B) {
            if (event < 0)
                state = KEY_EXCHANGE_B;
            else
                state = CERTIFICATE_REQUEST_A;
        } else if (state == CERTIFICATE_REQUEST_A || state == CERTIFICATE_REQUEST_B) {
            ask_certificate = event != 0;
            state = SERVER_DONE_A;
        } else if (state == SERVER_DONE_A || state == SERVER_DONE_B) {
            next = ask_certificate ? CLIENT_CERTIFICATE_A : CLIENT_KEY_A;
            state = FLUSH;
        } else if (state == CLIENT_CERTIFICATE_A || state == CLIENT_CERTIFICATE_B) {
            if (event < 0) {
                state = CLIENT_CERTIFICATE_B;
            } else {
                certificate = 1;
                state = CLIENT_KEY_A;
            }
        } else if (state == CLIENT_KEY_A || state == CLIENT_KEY_B) {
            if (event < 0) {
                state = CLIENT_KEY_B;
            } else {
                keys = 1;
                state = VERIFY_A;
            }
        } else if (state == VERIFY_A || state == VERIFY_B) {
            if (!ask_certificate)
                state = CHANGE_CIPHER;
            else if (event < 0)
                state = VERIFY_B;
            else if (certificate) {
                verified = 1;
                state = CHANGE_CIPHER;
            } else
                break;
        } else if (state == CHANGE_CIPHER) {
            if (!keys)
                reach_error();
            cipher = 1;
            state = FINISHED_A;
        } else if (state == FINISHED_A || state == FINISHED_B) {
            if (event < 0) {
                state = FINISHED_B;
            } else {
                finished = 1;
                next = DATA;
                state = FLUSH;
            }
        } else if (state == FLUSH) {
            state = next;
        } else if (state == DATA) {
            if (!keys || !cipher || !finished)
                reach_error();
            if (!resumed && ask_certificate && !verified)
                reach_error();
            if (event == 0)
                break;
            if (event < 0 && renegotiations < 3) {
                renegotiations++;
                state = START;
            }
        } else {
            reach_error();
        }
    }
    return 0;
}
