// Atomic builtins: by value and by address, with all their arguments evaluated.
int printf(const char *, ...);

static int calls;
static int next(void) { return ++calls; }
static int array[4];
struct pair { int a, b; };

static void by_address(void) {
    int x = 1, y = 2, z = 9, done;
    __atomic_load(&x, &y, 5);
    __atomic_store(&x, &z, 5);
    printf("%d %d %d\n", x, y, z);
    y = 7;
    __atomic_exchange(&x, &y, &z, 5);
    printf("%d %d %d\n", x, y, z);
    int expected = 0, desired = 42;
    done = __atomic_compare_exchange(&x, &expected, &desired, 0, 5, 5);
    printf("%d %d %d\n", done, expected, x);
    done = __atomic_compare_exchange(&x, &expected, &desired, 0, 5, 5);
    printf("%d %d %d\n", done, expected, x);
    float f = 1.5f, g = 2.5f;
    __atomic_store(&f, &g, 5);
    printf("%g\n", f);
    struct pair p = { 1, 2 }, q = { 3, 4 }, r;
    __atomic_exchange(&p, &q, &r, 5);
    printf("%d %d %d %d\n", p.a, p.b, r.a, r.b);
    q.a = 9;
    done = __atomic_compare_exchange(&p, &r, &q, 0, 5, 5);
    printf("%d %d\n", done, r.a);
    done = __atomic_compare_exchange(&p, &r, &q, 0, 5, 5);
    printf("%d %d\n", done, p.a);
}

static void by_value(void) {
    unsigned char c = 200;
    int r = __sync_add_and_fetch(&c, 100);
    printf("%d %d\n", r, c);
    r = __atomic_nand_fetch(&c, 0xf0, 5);
    printf("%d %d\n", r, c);
    r = __atomic_fetch_xor(&c, 0x11, 5);
    printf("%d %d\n", r, c);
    int x = 5, expected = 5;
    r = __atomic_exchange_n(&x, 6, 5);
    printf("%d %d\n", r, x);
    r = __atomic_compare_exchange_n(&x, &expected, 8, 1, 5, 5);
    printf("%d %d %d\n", r, expected, x);
    r = __atomic_compare_exchange_n(&x, &expected, 8, 1, 5, 5);
    printf("%d %d %d\n", r, expected, x);
    __atomic_store_n(&x, 3, 5);
    printf("%d\n", __atomic_load_n(&x, 5));
    int *p = array;
    __atomic_fetch_add(&p, 8, 5);
    printf("%d\n", (int)(p - array));
    __sync_fetch_and_sub(&p, 4);
    printf("%d\n", (int)(p - array));
}

/* Every argument is evaluated, whatever the outcome. */
static void arguments(void) {
    int x = 1, r;
    r = __sync_bool_compare_and_swap(&x, 2, next());
    printf("%d %d", r, x);
    printf(" %d\n", calls);
    r = __sync_val_compare_and_swap(&x, 1, next());
    printf("%d %d", r, x);
    printf(" %d\n", calls);
    __atomic_store_n(&x, 4, (next(), 5));
    printf("%d %d\n", x, calls);
}

static void locks(void) {
    char lock = 0;
    int r = __atomic_test_and_set(&lock, 5);
    printf("%d %d\n", r, lock);
    r = __atomic_test_and_set(&lock, 5);
    printf("%d\n", r);
    __atomic_clear(&lock, 5);
    printf("%d\n", lock);
    int x = 1;
    r = __sync_lock_test_and_set(&x, 77);
    printf("%d %d\n", r, x);
    __sync_lock_release(&x);
    printf("%d\n", x);
    __sync_synchronize();
    __atomic_thread_fence(5);
    printf("%d %d\n", __atomic_always_lock_free(4, 0), __atomic_always_lock_free(3, 0));
}

/* What gcc's <stdatomic.h> makes of its macros. */
static void header(void) {
    _Atomic int a = 3;
    _Atomic _Bool b = 0;
    int r = __extension__ ({ __auto_type ptr = &a; int tmp; __atomic_load(ptr, &tmp, 5); tmp; });
    printf("%d\n", r);
    __extension__ ({ __auto_type ptr = &b; _Bool tmp = 2; __atomic_store(ptr, &tmp, 5); });
    printf("%d\n", b);
    a += 4;
    a++;
    r = a;
    printf("%d\n", r);
}

int main(void) {
    by_address();
    by_value();
    arguments();
    locks();
    header();
    return 0;
}
